import { isDatabaseAway } from '../db/away.ts';
import type { Tx } from '../db/database.ts';
import { keepIf } from '../db/savepoint.ts';
import { stored } from '../language/contract.ts';
import type { Means } from '../people/reachability.ts';
import type { ActionServices } from './actions.ts';
import type { Recipient } from './escalation.ts';
import type { ActingSource } from './event-contract.ts';
import type { FirstStepServices } from './first-steps.ts';
import { notifyAgain } from './reminders.ts';
import { beginAgain, beginRound } from './reopening.ts';
import { addEvent, notifiedOf, type PageRow, reachedInRound, setUrgency } from './store.ts';
import type { Urgency } from './urgency-contract.ts';

export type RaisedUrgency = {
  at: Temporal.Instant;
  /** Higher than that of the page. */
  urgency: Urgency;
  /** Why the event has this urgency, for the timeline. */
  reasons: readonly string[];
  source: ActingSource | null;
};

const REPLACED = stored(
  'The urgency rose, but the people who had been notified could not be notified again. The page begins a new round instead.',
);

type Services = ActionServices & { means: Means } & Pick<FirstStepServices, 'firstSteps'>;

/**
 * Raises the urgency of an open page. Everybody who was notified in this round, or who acknowledged the page, is
 * notified again at once by the rules of the new urgency, and the escalation continues from there. Call `send` after
 * the commit.
 */
export async function raiseUrgency(
  tx: Tx,
  services: Services,
  page: PageRow,
  { at, urgency, reasons, source }: RaisedUrgency,
): Promise<{ page: PageRow; send(): void }> {
  const raised = { ...page, urgency };
  await setUrgency(tx, page.id, urgency);
  const data = { from: page.urgency, to: urgency, reasons };
  await addEvent(tx, page, { at, kind: 'urgency_raised', data: source ? { ...data, source } : data });
  const people = page.acknowledgedBy === null ? await reachedInRound(tx, page) : [page.acknowledgedBy];
  const hasRun = (await notifiedOf(tx, page.id)).some(({ round }) => round === page.round);
  // The first step of this round has not run yet, and will use the new urgency.
  if (people.length === 0 && page.state === 'notifying' && !hasRun) return { page: raised, send() {} };
  // There is nobody to notify again: a source acknowledged the page before its first step, or the people of this round are unreachable.
  if (people.length === 0) return { page: await beginAgain(tx, services, raised, at), send() {} };
  const why = { reason: 'the urgency rose', from: page.urgency, to: urgency };
  const recipients = people.map((userId): Recipient => ({ userId, kind: 'added', stage: null, why }));
  return notifyOrBegin(tx, services, raised, recipients, at);
}

/**
 * Notifies people again in a new round. If that fails, perhaps because of a damaged schedule, the round begins by its
 * first step, which is itself replaced if it keeps failing, because the events of a whole call would fail with this one.
 */
async function notifyOrBegin(
  tx: Tx,
  services: Services,
  page: PageRow,
  recipients: readonly Recipient[],
  at: Temporal.Instant,
): Promise<{ page: PageRow; send(): void }> {
  let notified: { page: PageRow; send(): void } | null = null;
  try {
    await keepIf(tx, async (inside) => {
      const again = await beginRound(inside, services, page, at);
      notified = { page: again, send: await notifyAgain(inside, services, again, recipients, at) };
      return true;
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    services.firstSteps?.log.error(
      { err: error, page: page.id },
      'people could not be notified again of a page whose urgency rose; it begins a new round',
    );
    await addEvent(tx, page, { at, kind: 'failed', data: { message: REPLACED } });
  }
  return notified ?? { page: await beginAgain(tx, services, page, at), send() {} };
}
