import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import { checkAgain, dueChecks, forgetChecks } from './due-store.ts';
import { settleCovers } from './settle.ts';

/** Notes read in one round; the rest follow in the next. */
const ROUND = 2_000;

/**
 * Settles the covers of every schedule whose shifts, or whose people's absences, changed. Every node may do so at once:
 * the second finds nothing to do. `changed` hears where something happened. Answers whether there was something, so that there may be more.
 */
export async function settleDueCovers(
  { db, clock }: { db: Database; clock: Clock },
  log: Log,
  changed: (organizationId: string) => void = () => undefined,
): Promise<boolean> {
  const due = await dueChecks(db, await clock.now(db), ROUND);
  let settled = 0;
  for (const scheduleId of due.scheduleIds) {
    try {
      const events = await db
        .transaction()
        .execute(async (tx) => settleCovers(tx, await clock.now(tx), scheduleId));
      if (events.length > 0)
        log.info({ scheduleId, covers: kindsOf(events) }, 'covers of a schedule changed');
      for (const { cover } of events.slice(0, 1)) changed(cover.organizationId);
      settled++;
    } catch (error) {
      log.error({ err: error, scheduleId }, 'the covers of a schedule could not be settled');
      await checkAgain(db, scheduleId);
    }
  }
  await forgetChecks(db, due.ids);
  return settled > 0 || due.ids.length === ROUND;
}

function kindsOf(events: readonly { kind: string }[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );
}
