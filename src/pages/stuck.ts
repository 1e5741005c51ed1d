import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { type DueStep, finishSteps, scheduleSteps, takeDueSteps } from './step-store.ts';
import { addEvent } from './store.ts';

/** Failures in a row after which a step is not worth waiting for: a second each, and somebody has to be woken. */
const MOST_FAILURES = 3;

/** Whether a step that just failed once more needs something simpler in its place. */
export function isStuck({ step, failures }: Pick<DueStep, 'step' | 'failures'>): boolean {
  return (step.kind === 'stage' || step.kind === 'backstop') && failures + 1 >= MOST_FAILURES;
}

/**
 * Puts a step that asks every member of the team in the place of one that cannot be run, whatever the reason is: a
 * damaged schedule must not make a page reach nobody. False when that was done in this round before, or when somebody
 * else has the step.
 */
export async function askEverybodyInstead(
  { db, clock }: { db: Database; clock: Clock },
  stepId: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const [due] = await takeDueSteps(tx, clock, { limit: 1, id: stepId });
    if (due?.page.state !== 'notifying') return false;
    const { page, step, now: at } = due;
    const everybody = { kind: 'members', stage: null, round: step.round } as const;
    if ((await scheduleSteps(tx, [{ page, step: everybody, dueAt: at }])) === 0) return false;
    await finishSteps(tx, [due], 'cancelled', at);
    const message = 'Who is on call could not be worked out; every member of the team is asked instead.';
    await addEvent(tx, page, { at, kind: 'failed', data: { message } });
    return true;
  });
}
