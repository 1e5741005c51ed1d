import type { Tx } from '../db/database.ts';
import { requestFinished } from '../requests/store.ts';
import { finishSteps, hastenStep, nextStepOf, scheduleSteps } from './step-store.ts';
import { addEvent, anyoneReachable, lockPage, type PageRow, stepReachable } from './store.ts';

const NOBODY = 'Nobody could be reached: every contact method of every recipient was tried and none worked.';

/** Called when a person turned out to be unreachable on every contact method. */
export async function personUnreachable(
  tx: Tx,
  pageId: string,
  responderId: number,
  at: Temporal.Instant,
): Promise<void> {
  const page = await lockPage(tx, pageId);
  if (page?.state !== 'notifying' || (await stepReachable(tx, responderId))) return;
  await goOn(tx, page, at);
}

/**
 * Nobody of the latest step can answer: the next one does not wait for its time. When nobody of the whole ladder can,
 * the page has failed: it expires at once and tells everybody of the team.
 */
export async function goOn(tx: Tx, page: PageRow, at: Temporal.Instant): Promise<void> {
  const next = await nextStepOf(tx, page.id);
  if (!next) return;
  const roundOver = next.step.kind === 'expire' || next.step.round > page.round;
  if (!roundOver || (await anyoneReachable(tx, page.id))) {
    await hastenStep(tx, page.id, at);
    return;
  }
  await requestFinished(tx, page.requestId, at, 'failed', NOBODY);
  await addEvent(tx, page, { at, kind: 'failed', data: { message: NOBODY } });
  if (next.step.kind === 'expire') await hastenStep(tx, page.id, at);
  else {
    await finishSteps(tx, [next], 'cancelled', at);
    await scheduleSteps(tx, [{ page, step: { kind: 'expire', stage: null, round: page.round }, dueAt: at }]);
  }
}
