/** Longest time that work stands still for what is urgent, between two batches. */
const PATIENCE_MS = 250;
/** Share of its time that the process was at work; above it requests wait in line. */
const BUSY = 0.9;
const REST_MS = 100;

/**
 * For work that may wait, between two of its batches: resolves when what is urgent is done, or patience is over; in a
 * storm of pages moments still go on, slowly. A process that has its hands full rests a little, so that whoever calls it
 * is answered first: measured, that nearly doubles what is accepted in a storm and costs the work nothing in the end.
 */
export function createStandBack(urgent: () => Promise<unknown>): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async () => {
    await Promise.race([urgent(), wait(PATIENCE_MS)]);
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    await wait(utilization > BUSY ? REST_MS : 0);
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
