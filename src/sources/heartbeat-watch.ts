import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { type Arrived, applyEvents, type EventServices } from './apply-events.ts';
import { backEvent, lateEvent } from './heartbeat.ts';
import { keepAccepting, markBack, markLate, type TurnedHeartbeat, takeTurned } from './heartbeat-store.ts';

/** A node that could not report for this long that it accepts calls may have missed some. */
const GAP_MS = 10_000;

/**
 * Maintains the start of the time in which the service has accepted calls. Run it every few seconds on each node that
 * accepts them. `node`: the number of this node; 0 while it is not registered. `elapsedMs`: a monotonic clock of this
 * process.
 */
export function createAccepting(services: {
  db: Database;
  clock: Clock;
  node(): number;
  accepts(): boolean;
  elapsedMs: () => number;
}): () => Promise<false> {
  const { db, clock, node, accepts, elapsedMs } = services;
  let noted = Number.NEGATIVE_INFINITY;
  return async () => {
    if (node() === 0 || !accepts()) return false;
    const begun = elapsedMs();
    await keepAccepting(db, clock, { node: node(), continuing: begun - noted < GAP_MS });
    noted = begun;
    return false;
  };
}

const BATCH = 200;

/** Pages for heartbeats that became late, once for each, and resolves those that called again. */
export async function checkHeartbeats(
  services: EventServices & { db: Database; clock: Clock },
): Promise<void> {
  let afterId = '';
  for (;;) {
    const { taken, afterCommit } = await checkBatch(services, afterId);
    afterCommit();
    const last = taken.at(-1);
    if (!last || taken.length < BATCH) return;
    afterId = last.sourceId;
  }
}

async function checkBatch(services: EventServices & { db: Database; clock: Clock }, afterId: string) {
  return services.db.transaction().execute(async (tx) => {
    const at = await services.clock.now(tx);
    const taken = await takeTurned(tx, at, afterId, BATCH);
    if (taken.length === 0) return { taken, afterCommit() {} };
    const { explanations, afterCommit } = await applyEvents(
      tx,
      services,
      at,
      taken.map((heartbeat) => arrived(heartbeat, at)),
    );
    // Heartbeats that a window, hours or a wait hold back stay undecided, also if these only record: they are checked again
    // until they page or call, because a heartbeat is not reported again as the alerts of other sources are.
    const held = new Set(taken.filter((_, index) => explanations[index]?.hold));
    const ids = (late: boolean) =>
      taken.filter((one) => one.late === late && !held.has(one)).map(({ sourceId }) => sourceId);
    await markLate(tx, at, ids(true));
    await markBack(tx, ids(false));
    return { taken, afterCommit };
  });
}

function arrived(heartbeat: TurnedHeartbeat, at: Temporal.Instant): Arrived {
  const { organizationId, teamId, sourceId, source, intervalMinutes, lastCallAt, dueAt, late } = heartbeat;
  const known = { name: source.name, intervalMinutes, lastCallAt };
  const event = late ? lateEvent({ ...known, dueAt }, at) : backEvent(known, at);
  const call = { organizationId, teamId, sourceId, source, requestId: null, position: 0, receivedAt: at };
  return { ...call, event, mayWait: true };
}
