/** The longest that work waits for urgent work between two batches. */
const PATIENCE_MS = 250;
/** Event loop utilization above which requests have to wait. */
const BUSY = 0.9;
const REST_MS = 100;

/**
 * Lets less urgent work pause between two batches: resolves when the urgent work is done, or after a short time, so
 * that moments are still processed in a storm of pages. A busy process also pauses briefly so that it can answer
 * requests; by measurement, this nearly doubles the accepted requests in a storm without delaying the work overall.
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
