import type { ClientBase } from 'pg';
import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import { databaseOn } from '../db/database.ts';
import { readIdentity } from '../db/identity.ts';
import type { Log } from '../kit/log.ts';
import type { Recovery } from '../requests/recovery.ts';
import { noteTimeline } from './store.ts';

/**
 * Runs before anything else on a newly connected server, because a promoted standby may lack the last commits of the former
 * primary. Throws only when the database is away and logs other errors, because they must not keep the service from running.
 */
export async function arrive(
  client: ClientBase,
  { clock, log, recovery }: { clock: Clock; log: Log; recovery: Recovery | null },
): Promise<void> {
  recovery?.promoted();
  const db = databaseOn(client);
  try {
    const marked = await noteTimeline(db, clock, await readIdentity(client));
    if (marked !== null)
      log.warn({ marked }, 'the database failed over: due work is marked as a possible repeat');
    const written = (await recovery?.recover(db)) ?? 0;
    if (written > 0) log.warn({ written }, 'restored requests that were lost in a failover');
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    log.error({ err: error }, 'could not restore all requests after a failover of the database');
  }
}
