import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { newId } from '../kit/typeid.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { Range } from '../reports/store.ts';
import type { Period } from './api-contract.ts';
import type { PageEvent } from './call-outs.ts';
import type { PayState, Rates, StatementContent } from './contract.ts';
import type { Assignment, Days } from './eras.ts';

export type TableRow = {
  id: string;
  name: string;
  currency: string;
  timeZone: string;
  country: string | null;
  region: string | null;
  holidayYears: number[];
  isDefault: boolean;
  versions: { from: string; until: string | null; rates: Rates }[];
};

/** Until the transaction ends, nobody else changes anything about the pay of the organization. */
export async function lockPay(tx: Tx, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(tx);
}

/** The rate tables of an organization by name, each with its rates by date. */
export async function listTables(db: Handle, organizationId: string): Promise<TableRow[]> {
  const { rows } = await sql<TableRow>`
    select t.id, t.name, t.currency, t.time_zone as "timeZone", t.country, t.region, t.holiday_years as "holidayYears",
      t.is_default as "isDefault", coalesce((
        select jsonb_agg(jsonb_build_object('from', r.valid_from, 'until', r.valid_until, 'rates', r.rates) order by r.valid_from)
        from pay_rates r where r.organization_id = t.organization_id and r.table_id = t.id), '[]') as versions
    from pay_tables t where t.organization_id = ${organizationId} order by lower(t.name)`.execute(db);
  return rows;
}

type TableValues = Pick<TableRow, 'name' | 'currency' | 'timeZone' | 'country' | 'region' | 'isDefault'>;

/** False if another table of the organization has the name. */
export async function saveTable(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  { name, currency, timeZone, country, region, isDefault }: TableValues,
): Promise<boolean> {
  if (isDefault)
    await sql`update pay_tables set is_default = false
      where organization_id = ${organizationId} and id <> ${id} and is_default`.execute(tx);
  const { rows } = await sql`
    insert into pay_tables (id, organization_id, name, currency, time_zone, country, region, is_default, created_at)
    select ${id}, ${organizationId}, ${name}, ${currency}, ${timeZone}, ${country}, ${region}, ${isDefault}, ${at}::timestamptz
    where not exists (select from pay_tables
      where organization_id = ${organizationId} and lower(name) = lower(${name}) and id <> ${id})
    on conflict (id) do update set name = excluded.name, time_zone = excluded.time_zone, country = excluded.country,
      region = excluded.region, is_default = excluded.is_default
    returning 1`.execute(tx);
  return rows.length === 1;
}

/** Deletes the days of its former place, so that they are computed again for the new one. */
export async function forgetHolidays(tx: Tx, id: string): Promise<void> {
  await sql`delete from pay_holidays where table_id = ${id}`.execute(tx);
  await sql`update pay_tables set holiday_years = '[]' where id = ${id}`.execute(tx);
}

/**
 * Adds the days of a year, unless another request has done so or the table has got another place since these were computed. The
 * first name of a date counts.
 */
export async function saveHolidays(
  tx: Tx,
  organizationId: string,
  { id, country, region }: Pick<TableRow, 'id' | 'country' | 'region'>,
  year: number,
  days: readonly { date: string; name: string }[],
): Promise<void> {
  const { numAffectedRows } = await sql`
    update pay_tables set holiday_years = holiday_years || to_jsonb(${year}::integer)
    where organization_id = ${organizationId} and id = ${id} and not holiday_years @> to_jsonb(${year}::integer)
      and (country, region) is not distinct from (${country}::text, ${region}::text)`.execute(tx);
  if (numAffectedRows !== 1n) return;
  await sql`
    insert into pay_holidays (organization_id, table_id, date, name)
    select ${organizationId}, ${id}, date, name
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as given(date date, name text)
    where extract(year from date) = ${year}
    on conflict do nothing`.execute(tx);
}

/** Holidays by table: those of its place, or else of the organization's own lists. */
export async function holidaysOfTables(
  db: Handle,
  organizationId: string,
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ id: string; date: string }>`
    select h.table_id as id, h.date::text as date from pay_holidays h where h.organization_id = ${organizationId}
    union
    select t.id, h.date::text from pay_tables t
    join holiday_calendars c on c.organization_id = t.organization_id and c.schedule_id is null
    join holidays h on h.calendar_id = c.id
    where t.organization_id = ${organizationId} and t.country is null`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [id, new Set(own.map(({ date }) => date))]),
  );
}

/** True if somebody is assigned to the table or was paid by it. */
export async function isTableUsed(db: Handle, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from pay_people where organization_id = ${organizationId} and table_id = ${id})
      or exists (select from pay_statements where organization_id = ${organizationId} and table_id = ${id}) as used`.execute(
    db,
  );
  return rows[0]?.used === true;
}

export async function deleteTable(tx: Tx, organizationId: string, id: string): Promise<void> {
  await sql`delete from pay_tables where organization_id = ${organizationId} and id = ${id}`.execute(tx);
}

export async function saveRates(
  tx: Tx,
  organizationId: string,
  tableId: string,
  { from, until, rates }: TableRow['versions'][number],
): Promise<void> {
  await sql`
    insert into pay_rates (organization_id, table_id, valid_from, valid_until, rates)
    values (${organizationId}, ${tableId}, ${from}::date, ${until}::date, ${JSON.stringify(rates)}::jsonb)
    on conflict (table_id, valid_from) do update set valid_until = excluded.valid_until, rates = excluded.rates`.execute(
    tx,
  );
}

/** False if no rates of the table begin on that day. */
export async function deleteRates(
  tx: Tx,
  organizationId: string,
  tableId: string,
  from: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from pay_rates
    where organization_id = ${organizationId} and table_id = ${tableId} and valid_from = ${from}::date`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export type PersonRow = { person: Person; isDisabled: boolean; assignments: Assignment[] };

/** Everybody of the organization, or one person, by name, with the tables by which they are paid. */
export async function listPeople(
  db: Handle,
  organizationId: string,
  userId: string | null = null,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select ${personJson('u')} as person, u.disabled_at is not null as "isDisabled", coalesce((
      select jsonb_agg(jsonb_build_object('from', p.valid_from, 'tableId', p.table_id) order by p.valid_from)
      from pay_people p where p.organization_id = u.organization_id and p.user_id = u.id), '[]') as assignments
    from users u where u.organization_id = ${organizationId} and (${userId}::text is null or u.id = ${userId})
    order by lower(u.name), u.id`.execute(db);
  return rows;
}

export async function saveAssignment(
  tx: Tx,
  organizationId: string,
  userId: string,
  { from, tableId }: Assignment,
): Promise<void> {
  await sql`
    insert into pay_people (organization_id, user_id, valid_from, table_id)
    values (${organizationId}, ${userId}, ${from}::date, ${tableId})
    on conflict (user_id, valid_from) do update set table_id = excluded.table_id`.execute(tx);
}

/** False if no assignment of the person begins on that day. */
export async function deleteAssignment(
  tx: Tx,
  organizationId: string,
  userId: string,
  from: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from pay_people
    where organization_id = ${organizationId} and user_id = ${userId} and valid_from = ${from}::date`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** `urgency`: that of the page when the event happened, or to which the event raised it. */
export type PageEventRow = PageEvent & { pageId: string; title: string; urgency: 'low' | 'medium' | 'high' };

/** What people did with pages that were raised in a period and answered, without drills; by page, in order. */
export async function listPageEvents(
  db: Handle,
  organizationId: string,
  range: Range,
): Promise<PageEventRow[]> {
  const { rows } = await sql<PageEventRow>`
    select e.page_id as "pageId", p.title, e.kind, e.user_id as "userId", e.data ->> 'what' as what,
      coalesce((select raised.data ->> 'from' from page_events raised
        where raised.page_id = e.page_id and raised.kind = 'urgency_raised' and raised.id > e.id
        order by raised.id limit 1), p.urgency) as urgency,
      round(extract(epoch from e.at) * 1000)::float8 as at,
      exists (select from responders r where r.page_id = e.page_id and r.user_id = e.user_id and r.kind <> 'expired')
        as notified
    from pages p join page_events e on e.page_id = p.id
    where p.organization_id = ${organizationId} and not p.drill
      and p.created_at >= ${range.from} and p.created_at < ${range.to}
      and e.kind in ('acknowledged', 'joined', 'resolved', 'unacknowledged', 'escalated', 'reassigned', 'snoozed',
        'reminded', 'reopened', 'expired', 'duplicate', 'urgency_raised', 'disabled', 'undone')
    order by e.page_id, e.id`.execute(db);
  return rows;
}

export type StoredStatement = {
  periodId: string;
  userId: string;
  tableId: string;
  /** For the period itself, in the smallest unit of the currency. */
  amount: bigint;
  content: StatementContent;
};
type StoredRow = Omit<StoredStatement, 'amount'> & { amount: string };

/** The statements of these periods, as they were stored. */
export async function listStatements(
  db: Handle,
  organizationId: string,
  periodIds: readonly string[],
): Promise<StoredStatement[]> {
  const { rows } = await sql<StoredRow>`
    select s.period_id as "periodId", s.user_id as "userId", s.table_id as "tableId", s.amount::text as amount, s.content
    from pay_statements s
    where s.organization_id = ${organizationId} and s.period_id = any(${periodIds}::text[])`.execute(db);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** The payments of published periods, without the times that explain them. `by`: corrections of earlier periods. */
export type PaidRow = Pick<StoredStatement, 'periodId' | 'userId' | 'tableId' | 'amount'> & {
  corrections: StatementContent['corrections'];
};

/** What was paid in published periods, in the smallest unit of the currency. */
export async function listPaid(db: Handle, organizationId: string): Promise<PaidRow[]> {
  const { rows } = await sql<Omit<PaidRow, 'amount'> & { amount: string }>`
    select s.period_id as "periodId", s.user_id as "userId", s.table_id as "tableId", s.amount::text as amount,
      s.content -> 'corrections' as corrections
    from pay_statements s join pay_periods p on p.id = s.period_id
    where s.organization_id = ${organizationId} and p.state = 'published'`.execute(db);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** Replaces all statements of a period. */
export async function replaceStatements(
  tx: Tx,
  organizationId: string,
  periodId: string,
  statements: readonly Omit<StoredStatement, 'periodId'>[],
): Promise<void> {
  await sql`delete from pay_statements where organization_id = ${organizationId} and period_id = ${periodId}`.execute(
    tx,
  );
  const rows = statements.map(({ amount, ...statement }) => ({ ...statement, amount: amount.toString() }));
  await sql`
    insert into pay_statements (organization_id, period_id, user_id, table_id, amount, content)
    select ${organizationId}, ${periodId}, "userId", "tableId", amount, content
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given("userId" text, "tableId" text, amount bigint, content jsonb)`.execute(tx);
}

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

/** How many periods are not published. */
export async function countOpenPeriods(db: Handle, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pay_periods
    where organization_id = ${organizationId} and state <> 'published'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Adds a draft of a period, and returns its id. */
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
