import { sql } from 'kysely';
import { LOCK } from '../db/advisory-locks.ts';
import type { Handle, Tx } from '../db/database.ts';

/** Waits until no other file is being applied to this database. The lock is held until the transaction ends. */
export async function lockApplying(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK.apply})`.execute(tx);
}

/**
 * Keeps other files from being applied to this organization until the transaction ends. Returns false at once if
 * another one is being applied to it, or the command line is applying one to any organization.
 */
export async function tryLockApplying(tx: Tx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock_shared(${LOCK.apply})
      and pg_try_advisory_xact_lock(${LOCK.applyTo}, hashtext(${organizationId})) as locked`.execute(tx);
  return rows[0]?.locked === true;
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
