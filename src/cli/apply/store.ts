import { sql } from 'kysely';
import type { Handle, Tx } from '../../db/database.ts';

/** Any constant. Keeps two files from being applied at the same time. */
const APPLY_LOCK = 7303_0002;

/** Waits until no other file is being applied to this database. The lock is held until the transaction ends. */
export async function lockApplying(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPLY_LOCK})`.execute(tx);
}

/** The names of all schedules. */
export async function listScheduleNames(
  db: Handle,
  organizationId: string,
): Promise<{ id: string; name: string; teamId: string }[]> {
  return db
    .selectFrom('schedules')
    .select(['id', 'name', 'team_id as teamId'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .execute();
}

/** Past records, which are never removed because they document what happened. */
export async function pastAvailabilityIds(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('availabilities')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('ends_at', '<=', at)
    .execute();
  return rows.map((row) => row.id);
}
