import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';

/** At most this many notices are announced in one round; the rest follows in the next. */
const MOST = 500;

/** Records the keys as announced, and returns those that were not recorded before. */
export async function claimKeys(tx: Tx, at: Temporal.Instant, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    insert into announced (key, announced_at)
    select key, ${at}::timestamptz from (
      select key from unnest(${keys}::text[]) as key
      where not exists (select from announced a where a.key = key.key)
      order by key limit ${MOST}
    ) fresh
    on conflict (key) do nothing returning key`.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

/** Deletes keys of announcements that are so old that they cannot come up again. */
export async function forgetAnnounced(db: Handle, at: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from announced where key in (
      select key from announced where announced_at < ${at}::timestamptz - interval '400 days' limit ${limit})
    returning key`.execute(db);
  return rows.length;
}
