import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { lockKeys } from '../pages/keyed-store.ts';
import { type Arrived, applyEvents, type EventServices } from './apply-events.ts';
import { dueWaiting, type KeyOfWaiting, postponeWaiting, takeWaiting } from './store.ts';

type WaitingServices = EventServices & { db: Database; clock: Clock; log: Log };

/** Delay before a waiting page that failed is tried again. */
const RETRY_MS = 10_000;

/**
 * Raises the pages whose wait has ended, at most `limit`. Pages that a window or hours still hold continue to wait. If
 * they cannot be raised together, each is raised alone, so that one of them does not hold up the others. Returns how
 * many were due. Several nodes may do this at the same time.
 */
export async function raiseWaiting(services: WaitingServices, limit: number): Promise<number> {
  const due = await dueWaiting(services.db, services.clock, limit);
  if (due.length === 0) return 0;
  try {
    await raise(services, due, (one) => one);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    for (const one of due) await raiseAlone(services, one);
  }
  return due.length;
}

/**
 * Raises one waiting page. If its settings or a window prevent that, it pages the team of its source without them,
 * because silence is worse than noise.
 */
async function raiseAlone(services: WaitingServices, due: KeyOfWaiting): Promise<void> {
  const { db, clock, log } = services;
  const without = { ...services, windowsFor: async () => [] };
  try {
    await raise(services, [due], (one) => one).catch(async (error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      log.error(
        { err: error, source: due.sourceId },
        'a waiting page is raised without the settings of its source',
      );
      await raise(without, [due], (one) => ({ ...one, source: { ...one.source, settings: {} } }));
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    log.error(
      { err: error, source: due.sourceId },
      'a waiting page could not be raised and will be tried again',
    );
    await postponeWaiting(db, clock, due.id, RETRY_MS);
  }
}

async function raise(
  services: WaitingServices,
  due: readonly KeyOfWaiting[],
  as: (arrived: Arrived) => Arrived,
): Promise<void> {
  const afterCommit = await services.db.transaction().execute(async (tx) => {
    const at = await services.clock.now(tx);
    // The keys are locked first, as everywhere, so that an event of one of them cannot deadlock with this.
    await lockKeys(
      tx,
      due.map(({ organizationId, sourceId, dedupKey }) => ({ organizationId, scope: sourceId, dedupKey })),
    );
    const taken = await takeWaiting(
      tx,
      at,
      due.map(({ id }) => id),
    );
    const arrived = taken.map((one) => as({ ...one, mayWait: false, waited: true }));
    return (await applyEvents(tx, services, at, arrived)).afterCommit;
  });
  afterCommit();
}
