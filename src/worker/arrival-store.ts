import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Identity } from '../db/identity.ts';

/**
 * Records that the service uses this copy of the data. After another copy, due work may have been done before and its record
 * lost, so its notifications are marked as possible repeats. Returns the number of these steps and deliveries; null when a node
 * has recorded this copy before.
 */
export async function noteTimeline(
  db: Database,
  clock: Clock,
  { system, timeline }: Identity,
): Promise<number | null> {
  if (system === null || timeline === null) return null;
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ follows: boolean }>`
      insert into database_timelines (system, timeline, seen_at) values (${system}, ${timeline}, ${clock.sql})
      on conflict do nothing
      returning exists (select from database_timelines) as follows`.execute(tx);
    if (!rows[0]?.follows) return null;
    const steps = await sql`
      update page_steps set may_repeat = true where state = 'due' and due_at <= ${clock.sql}`.execute(tx);
    const deliveries = await sql`
      update deliveries set repeat = true
      where state in ('waiting', 'retrying') and due_at <= ${clock.sql}`.execute(tx);
    return Number(steps.numAffectedRows ?? 0n) + Number(deliveries.numAffectedRows ?? 0n);
  });
}
