import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { newId } from '../kit/typeid.ts';
import { personJson } from '../people/store.ts';
import type { Period } from './api-contract.ts';
import type { PayState } from './contract.ts';
import type { Days } from './eras.ts';

export type StoredPeriod = Omit<Period, 'over'> & { figures: string | null };

const MOST_LISTED = 200;

/** Periods, the latest first. `ofUser`: only published ones in which that person has a statement. */
export async function listPeriods(
  db: Handle,
  organizationId: string,
  { id = null, ofUser = null }: { id?: string | null; ofUser?: string | null } = {},
): Promise<StoredPeriod[]> {
  const { rows } = await sql<StoredPeriod>`
    select p.id, p.first_day::text as first, p.last_day::text as last, p.state, p.figures,
      ${personJson('creator')} as created_by, ${personJson('checker')} as checked_by,
      ${utcText('p.checked_at')} as checked_at, ${personJson('publisher')} as published_by,
      ${utcText('p.published_at')} as published_at
    from pay_periods p left join users creator on creator.id = p.created_by
    left join users checker on checker.id = p.checked_by left join users publisher on publisher.id = p.published_by
    where p.organization_id = ${organizationId} and (${id}::text is null or p.id = ${id})
      and (${ofUser}::text is null or (p.state = 'published' and exists (select from pay_statements s
        where s.organization_id = p.organization_id and s.period_id = p.id and s.user_id = ${ofUser})))
    order by p.first_day desc limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** The period that shares a day with these days; null if none does. */
export async function findOverlapping(
  db: Handle,
  organizationId: string,
  { first, last }: Days,
): Promise<Days | null> {
  const { rows } = await sql<Days>`
    select first_day::text as first, last_day::text as last from pay_periods
    where organization_id = ${organizationId} and first_day <= ${last}::date and last_day >= ${first}::date limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function countOpenPeriods(db: Handle, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pay_periods
    where organization_id = ${organizationId} and state <> 'published'`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function insertPeriod(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: { organizationId: string; userId: string },
  { first, last }: Days,
): Promise<string> {
  const id = newId('pay_period');
  await sql`
    insert into pay_periods (id, organization_id, first_day, last_day, created_by, created_at)
    values (${id}, ${organizationId}, ${first}::date, ${last}::date, ${userId}, ${at})`.execute(tx);
  return id;
}

/** A draft has no record of who checked it and which amounts. */
export async function setPeriodState(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: { organizationId: string; userId: string },
  id: string,
  change: { state: Exclude<PayState, 'checked'> } | { state: 'checked'; figures: string },
): Promise<void> {
  const where = sql`where organization_id = ${organizationId} and id = ${id}`;
  if (change.state === 'checked')
    await sql`update pay_periods set state = 'checked', figures = ${change.figures}, checked_by = ${userId},
      checked_at = ${at} ${where}`.execute(tx);
  else if (change.state === 'published')
    await sql`update pay_periods set state = 'published', published_by = ${userId}, published_at = ${at} ${where}`.execute(
      tx,
    );
  else
    await sql`update pay_periods set state = 'draft', figures = null, checked_by = null, checked_at = null ${where}`.execute(
      tx,
    );
}

export async function deletePeriod(tx: Tx, organizationId: string, id: string): Promise<void> {
  await sql`delete from pay_periods where organization_id = ${organizationId} and id = ${id}`.execute(tx);
}
