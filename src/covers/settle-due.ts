import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { instantFor } from '../kit/same-instant.ts';
import type { CoverEvent } from './events.ts';
import type { RepairSolver } from './repairs/fewest.ts';
import { solvedRepairs } from './repairs/solved-repairs.ts';
import { settleWith } from './settle.ts';
import { checkAgain, dueChecks, forgetChecks } from './store.ts';

/** How many checks one round reads. The rest follow in the next round. */
const ROUND = 2_000;
/** How often a schedule is tried before its remaining repairs are abandoned. */
const ATTEMPTS = 6;

export type SettlingServices = { db: Database; clock: Clock; solver: RepairSolver };

/**
 * Settles the covers of every schedule whose shifts or absences changed. All nodes may run it at the same time: a
 * second run finds nothing to do. `changed` is called for each organization with changes.
 * @returns whether there may be more to do
 */
export async function settleDueCovers(
  services: SettlingServices,
  log: Log,
  changed: (organizationId: string) => void = () => undefined,
): Promise<boolean> {
  const { db, clock } = services;
  const due = await dueChecks(db, await clock.now(db), ROUND);
  let settled = 0;
  for (const scheduleId of due.scheduleIds) {
    try {
      const events = await settleSolved(services, scheduleId);
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

/** Solves repairs between transactions, so that none stays open while the solver runs. */
async function settleSolved(
  { db, clock, solver }: SettlingServices,
  scheduleId: string,
): Promise<CoverEvent[]> {
  const repairs = solvedRepairs();
  const events: CoverEvent[] = [];
  let first: Temporal.Instant | null = null;
  for (let attempt = 1; ; attempt++) {
    const settled = await db.transaction().execute(async (tx) => {
      const at = instantFor(first, await clock.now(tx));
      first = at;
      return settleWith(tx, at, scheduleId, repairs);
    });
    events.push(...settled.events);
    if (!settled.isLeft) return events;
    if (attempt === ATTEMPTS) repairs.giveUp();
    else await repairs.solve(solver);
  }
}

function kindsOf(events: readonly { kind: string }[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );
}
