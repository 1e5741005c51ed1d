import { sql } from 'kysely';
import type { Handle, Tx } from '../../db/database.ts';

/** Any constant: two files that are applied at once must not be mixed. */
const APPLY_LOCK = 7303_0002;

/** Waits for whoever is applying a file to this database; held until the transaction ends. */
export async function lockApplying(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPLY_LOCK})`.execute(tx);
}

/** Schedules by name. */
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

/** Records that are over: they tell what was, and are never taken away. */
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
