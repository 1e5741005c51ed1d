import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';

/** Stores the signature of the first key, and returns the stored one. */
export async function claimInstallation(db: Database, clock: Clock, keyCheck: string): Promise<string> {
  const { rows } = await sql<{ key_check: string }>`
    with claimed as (
      insert into installation (key_check, created_at) values (${keyCheck}, ${clock.sql}) on conflict do nothing returning key_check
    )
    select key_check from claimed union all select key_check from installation limit 1`.execute(db);
  return rows[0]?.key_check ?? keyCheck;
}

/** When this database was set up. */
export async function beginningOf(db: Handle): Promise<Temporal.Instant> {
  const row = await db.selectFrom('installation').select('created_at').executeTakeFirstOrThrow();
  return row.created_at;
}

/** The same, with a lock: nobody else can make a first owner until the transaction ends. */
export async function lockInstallation(tx: Tx): Promise<Temporal.Instant> {
  const row = await tx.selectFrom('installation').select('created_at').forUpdate().executeTakeFirstOrThrow();
  return row.created_at;
}
