import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { setReminder } from '../pages/step-store.ts';
import { addEvent, lockPage } from '../pages/store.ts';
import { personUnreachable } from '../pages/unreachable.ts';
import { requestError } from '../requests/store.ts';
import { cancelDeliveriesTo, endRunsOf, type HeldPage, pagesOfDisabledPeople } from './store.ts';

/** Pages in one batch. */
const LIMIT = 500;

/**
 * Removes disabled people from the pages that wait for them. It cancels their deliveries, adds an event to the page,
 * and escalates at once if nobody else can answer. It runs right after a person is disabled and again as a duty, in
 * case that process died. Until then nothing is sent, because deliveries to disabled people are never claimed. Returns
 * the number of pages.
 */
export async function releaseDisabledPeople({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  let released = 0;
  for (;;) {
    const held = await pagesOfDisabledPeople(db, await clock.now(db), LIMIT);
    for (const one of held)
      await db.transaction().execute(async (tx) => release(tx, one, await clock.now(tx)));
    released += held.length;
    if (held.length < LIMIT) return released;
  }
}

async function release(tx: Tx, held: HeldPage, at: Temporal.Instant): Promise<void> {
  const page = await lockPage(tx, held.pageId);
  if (!page) return;
  const { userId, name } = held;
  if (page.state === 'acknowledged' && page.acknowledgedBy === userId) {
    await setReminder(tx, page.id, at);
    await addEvent(tx, page, { at, kind: 'disabled', userId, data: { cancelled: 0, acknowledged: true } });
    return;
  }
  if (page.state !== 'notifying') return;
  const cancelled = await cancelDeliveriesTo(tx, held, at);
  const runs = await endRunsOf(tx, held, at);
  if (cancelled === 0 && runs.length === 0) return;
  await addEvent(tx, page, { at, kind: 'disabled', userId, data: { cancelled } });
  await requestError(tx, page.requestId, at, sentence(name, cancelled));
  const latest = Math.max(...runs);
  if (runs.length > 0) await personUnreachable(tx, page.id, latest, at);
}

function sentence(name: string, cancelled: number): string {
  if (cancelled === 0) return `${name} was disabled; the page no longer waits for them.`;
  const what = cancelled === 1 ? '1 notification to them was' : `${cancelled} notifications to them were`;
  return `${name} was disabled; ${what} cancelled, and the page no longer waits for them.`;
}
