import type { ClientBase } from 'pg';
import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import { databaseOn } from '../db/database.ts';
import { readIdentity } from '../db/identity.ts';
import type { Log } from '../kit/log.ts';
import type { Recovery } from '../requests/recovery.ts';
import { noteTimeline } from './arrival-store.ts';

/**
 * What is done on a server before anything else: after a promotion it may lack what the former primary committed last. Fails only
 * when the database is away; anything else is logged, since a database that nobody may use helps nobody.
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
      log.warn({ marked }, 'the database failed over: what is due is marked as a possible repeat');
    const written = (await recovery?.recover(db)) ?? 0;
    if (written > 0) log.warn({ written }, 'requests that a fail-over had lost were written again');
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    log.error({ err: error }, 'after a fail-over of the database something could not be made good');
  }
}
