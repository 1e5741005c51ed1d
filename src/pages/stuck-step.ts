import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { stored } from '../language/contract.ts';
import { type DueStep, finishSteps, scheduleSteps, takeDueStep } from './step-store.ts';
import { addEvent } from './store.ts';

/** A step or reminder that failed this often is replaced, because each retry delays the page by a second. */
export const MOST_FAILURES = 3;

const EVERYBODY = stored(
  'The people on call could not be determined. Every member of the team is notified instead.',
);

/** Whether a step that has just failed again should be replaced by a simpler one. */
export function isStuck({ step, failures }: Pick<DueStep, 'step' | 'failures'>): boolean {
  return (step.kind === 'stage' || step.kind === 'backstop') && failures + 1 >= MOST_FAILURES;
}

/**
 * Replaces a step that keeps failing with one that notifies every member of the team, so that a damaged schedule does
 * not leave a page without recipients. Returns false if this was already done in this round, or if another worker holds
 * the step.
 */
export async function notifyAllMembersInstead(
  { db, clock }: { db: Database; clock: Clock },
  stepId: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const due = await takeDueStep(tx, clock, stepId);
    if (due?.page.state !== 'notifying') return false;
    const { page, step, now: at } = due;
    const everybody = { kind: 'members', stage: null, round: step.round } as const;
    if ((await scheduleSteps(tx, [{ page, step: everybody, dueAt: at }])) === 0) return false;
    await finishSteps(tx, [due], 'cancelled', at);
    await addEvent(tx, page, { at, kind: 'failed', data: { message: EVERYBODY } });
    return true;
  });
}
