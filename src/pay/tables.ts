import { listCountries, readPlace, regionAlone } from '../calendars/country-holidays.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { audit, organizationZone } from '../people/store.ts';
import type { Viewer } from '../sessions/contract.ts';
import {
  MOST_ASSIGNMENTS,
  MOST_TABLES,
  MOST_VERSIONS,
  type NewPayTableBody,
  type PayPerson,
  type PayTableChangeBody,
  type PayTableShown,
  type TableRef,
} from './api-contract.ts';
import type { Rates, RatesChange } from './contract.ts';
import { isCurrency } from './money.ts';
import { ratesProblems } from './rates-check.ts';
import {
  deleteAssignment,
  deleteRates,
  deleteTable,
  forgetHolidays,
  isTableUsed,
  listPeople,
  listTables,
  lockPay,
  type PersonRow,
  saveAssignment,
  saveRates,
  saveTable,
  type TableRow,
} from './store.ts';

export type TableServices = { db: Database; clock: Clock };

/** The name of a rate table for comparisons: upper and lower case are equal. */
export function tableKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Before every other day that an assignment can begin on. */
export const BEGINNING = '1970-01-01';

export async function shownTables({ db, clock }: TableServices, viewer: Viewer): Promise<PayTableShown[]> {
  const today = todayOf(await clock.now(db));
  const [tables, people] = await Promise.all([
    listTables(db, viewer.organizationId),
    listPeople(db, viewer.organizationId),
  ]);
  return tables.map((table) => presentTable(table, people, today));
}

function todayOf(now: Temporal.Instant): string {
  return now.toZonedDateTimeISO('UTC').toPlainDate().toString();
}

function presentTable(table: TableRow, people: readonly PersonRow[], today: string): PayTableShown {
  const { id, name, currency, timeZone: time_zone, country, region, isDefault, versions } = table;
  const assigned = people.filter(({ assignments }) => currentOf(assignments, today)?.tableId === id).length;
  return { id, name, currency, time_zone, country, region, default: isDefault, people: assigned, versions };
}

function currentOf(assignments: PersonRow['assignments'], today: string) {
  return assignments.findLast(({ from }) => from <= today) ?? null;
}

export async function createTable(
  services: TableServices,
  viewer: Viewer,
  body: NewPayTableBody,
): Promise<PayTableShown> {
  if (!isCurrency(body.currency)) throw bad('currency', noCurrency(body.currency));
  const place = await placeOf(body.country ?? null, body.region ?? null);
  const id = newId('pay_table');
  return change(services, viewer, id, async (tx, at) => {
    const tables = await listTables(tx, viewer.organizationId);
    if (tables.length >= MOST_TABLES)
      throw new Fault('conflict', [
        {
          field: 'name',
          message: t('exceeds the limit of {most} tables; delete one first', {
            most: MOST_TABLES,
          }),
        },
      ]);
    const values = {
      ...{ name: body.name.trim(), currency: body.currency, ...place },
      timeZone: body.time_zone ?? (await organizationZone(tx, viewer.organizationId)),
      isDefault: body.default ?? tables.length === 0,
    };
    if (!(await saveTable(tx, at, viewer.organizationId, id, values))) throw nameTaken(values.name);
    await audit(tx, at, viewer, 'pay_table.create', id, { name: values.name, currency: values.currency });
  });
}

export async function changeTable(
  services: TableServices,
  viewer: Viewer,
  id: string,
  body: PayTableChangeBody,
): Promise<PayTableShown> {
  const given = 'country' in body || 'region' in body;
  const known = given ? await tableOf(services.db, viewer, id) : null;
  const place = known
    ? await placeOf(
        body.country === undefined ? known.country : body.country,
        body.region === undefined ? (body.country === undefined ? known.region : null) : body.region,
      )
    : null;
  return change(services, viewer, id, async (tx, at) => {
    const before = await tableOf(tx, viewer, id);
    const values = {
      name: body.name?.trim() ?? before.name,
      currency: before.currency,
      timeZone: body.time_zone ?? before.timeZone,
      isDefault: body.default ?? before.isDefault,
      ...(place ?? { country: before.country, region: before.region }),
    };
    if (!(await saveTable(tx, at, viewer.organizationId, id, values))) throw nameTaken(values.name);
    if (values.country !== before.country || values.region !== before.region) await forgetHolidays(tx, id);
    await audit(tx, at, viewer, 'pay_table.change', id, { ...body, name: values.name });
  });
}

export function noCurrency(code: string): string {
  return t('is {currency}, which is not a current currency; give a code such as EUR, USD or JPY', {
    currency: code,
  });
}

/** Regions must be known, so that their holidays can be computed. */
async function placeOf(country: string | null, region: string | null) {
  if (country === null) {
    if (region === null) return { country: null, region: null };
    throw new Fault('bad_request', [regionAlone(region)]);
  }
  const read = readPlace(await listCountries(), { country, region: region ?? undefined });
  if ('problem' in read) throw new Fault('bad_request', [read.problem]);
  return read.place;
}

export async function removeTable({ db, clock }: TableServices, viewer: Viewer, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    const { name } = await tableOf(tx, viewer, id);
    if (await isTableUsed(tx, viewer.organizationId, id))
      throw new Fault('conflict', [
        {
          field: 'table',
          message: t(
            'is {name}, which has people assigned or was used to pay people, so it cannot be deleted; end its rates instead',
            { name },
          ),
        },
      ]);
    await deleteTable(tx, viewer.organizationId, id);
    await audit(tx, await clock.now(tx), viewer, 'pay_table.delete', id, { name });
  });
}

export async function setRates(
  services: TableServices,
  viewer: Viewer,
  id: string,
  version: { from: string; until: string | null; rates: Rates },
  onlyNew: boolean,
): Promise<PayTableShown> {
  const { from } = version;
  mustBeDay('from', from);
  const problems = ratesProblems(version);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  return change(services, viewer, id, async (tx, at) => {
    const { name, versions } = await tableOf(tx, viewer, id);
    const others = versions.filter((one) => one.from !== from);
    if (onlyNew && others.length < versions.length)
      throw new Fault('conflict', [
        {
          field: 'from',
          message: t('is {from}, from which {name} already has rates; change those, or choose another day', {
            from,
            name,
          }),
        },
      ]);
    if (others.length >= MOST_VERSIONS)
      throw new Fault('conflict', [
        {
          field: 'from',
          message: t('exceeds the limit of {most} sets of rates for {name}; delete one first', {
            name,
            most: MOST_VERSIONS,
          }),
        },
      ]);
    await saveRates(tx, viewer.organizationId, id, version);
    await audit(tx, at, viewer, 'pay_rates.set', id, { table: name, ...version });
  });
}

/** Changes only the given parts, so that two people can change different rates of one version. */
export async function changeRates(
  services: TableServices,
  viewer: Viewer,
  id: string,
  from: string,
  { until, rates = {} }: { until?: string | null; rates?: RatesChange },
): Promise<PayTableShown> {
  mustBeDay('from', from);
  return change(services, viewer, id, async (tx, at) => {
    const { name, versions } = await tableOf(tx, viewer, id);
    const before = versions.find((one) => one.from === from);
    if (!before) throw noRates(name, from);
    const version = {
      from,
      until: until === undefined ? before.until : until,
      rates: {
        ...before.rates,
        ...rates,
        on_call: { ...before.rates.on_call, ...rates.on_call },
        called_out: { ...before.rates.called_out, ...rates.called_out },
        night: { ...before.rates.night, ...rates.night },
      },
    };
    const problems = ratesProblems(version);
    if (problems.length > 0) throw new Fault('bad_request', problems);
    await saveRates(tx, viewer.organizationId, id, version);
    await audit(tx, at, viewer, 'pay_rates.set', id, { table: name, ...version });
  });
}

export async function removeRates(
  services: TableServices,
  viewer: Viewer,
  id: string,
  from: string,
): Promise<PayTableShown> {
  mustBeDay('from', from);
  return change(services, viewer, id, async (tx, at) => {
    const { name } = await tableOf(tx, viewer, id);
    if (!(await deleteRates(tx, viewer.organizationId, id, from))) throw noRates(name, from);
    await audit(tx, at, viewer, 'pay_rates.delete', id, { table: name, from });
  });
}

async function change(
  services: TableServices,
  viewer: Viewer,
  id: string,
  work: (tx: Tx, at: Temporal.Instant) => Promise<void>,
): Promise<PayTableShown> {
  await services.db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    await work(tx, await services.clock.now(tx));
  });
  const shown = (await shownTables(services, viewer)).find((table) => table.id === id);
  if (!shown) throw unknownTable();
  return shown;
}

async function tableOf(db: Handle, viewer: Viewer, id: string): Promise<TableRow> {
  const table = (await listTables(db, viewer.organizationId)).find((one) => one.id === id);
  if (!table) throw unknownTable();
  return table;
}

export async function shownPeople({ db, clock }: TableServices, viewer: Viewer): Promise<PayPerson[]> {
  const today = todayOf(await clock.now(db));
  const [people, tables] = await Promise.all([
    listPeople(db, viewer.organizationId),
    listTables(db, viewer.organizationId),
  ]);
  return people
    .filter(({ isDisabled, assignments }) => !isDisabled || assignments.length > 0)
    .map((row) => presentPerson(row, tables, today));
}

function presentPerson(
  { person, assignments }: PersonRow,
  tables: readonly TableRow[],
  today: string,
): PayPerson {
  const refOf = (id: string | null) => {
    const table = tables.find((one) => one.id === id);
    return table ? refOfTable(table) : null;
  };
  const usual = tables.find(({ isDefault }) => isDefault);
  const current = currentOf(assignments, today);
  return {
    person,
    table: current ? refOf(current.tableId) : usual ? refOfTable(usual) : null,
    assignments: assignments.map(({ from, tableId }) => ({ from, table: refOf(tableId) })),
  };
}

export function refOfTable({ id, name, currency, timeZone }: TableRow): TableRef {
  return { id, name, currency, time_zone: timeZone };
}

export async function assign(
  services: TableServices,
  viewer: Viewer,
  userId: string,
  { table, from = BEGINNING }: { table: string | null; from?: string | undefined },
): Promise<PayPerson> {
  return changePerson(services, viewer, userId, async (tx, at, { assignments, person }) => {
    const known = table === null ? null : await tableOf(tx, viewer, table);
    if (assignments.filter((one) => one.from !== from).length >= MOST_ASSIGNMENTS)
      throw new Fault('conflict', [
        {
          field: 'from',
          message: t('exceeds the limit of {most} assignments for {name}; delete one first', {
            name: person.name,
            most: MOST_ASSIGNMENTS,
          }),
        },
      ]);
    await saveAssignment(tx, viewer.organizationId, userId, { from, tableId: table });
    await audit(tx, at, viewer, 'pay.assign', userId, { table: known?.name ?? null, from });
  });
}

export async function unassign(
  services: TableServices,
  viewer: Viewer,
  userId: string,
  from: string,
): Promise<PayPerson> {
  mustBeDay('from', from);
  return changePerson(services, viewer, userId, async (tx, at, { person }) => {
    if (!(await deleteAssignment(tx, viewer.organizationId, userId, from)))
      throw new Fault('not_found', [
        {
          field: 'from',
          message: t('is {from}, but no assignment of {name} begins on that day; see /api/pay/people', {
            from,
            name: person.name,
          }),
        },
      ]);
    await audit(tx, at, viewer, 'pay.unassign', userId, { from });
  });
}

async function changePerson(
  { db, clock }: TableServices,
  viewer: Viewer,
  userId: string,
  work: (tx: Tx, at: Temporal.Instant, row: PersonRow) => Promise<void>,
): Promise<PayPerson> {
  return db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    const at = await clock.now(tx);
    const find = async () => (await listPeople(tx, viewer.organizationId, userId))[0];
    const row = await find();
    if (!row)
      throw new Fault('not_found', [
        { field: 'person', message: t('is not a person of your organization; /api/pay/people lists them') },
      ]);
    await work(tx, at, row);
    return presentPerson((await find()) ?? row, await listTables(tx, viewer.organizationId), todayOf(at));
  });
}

function mustBeDay(field: string, text: string): void {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && isDay(text)) return;
  throw bad(field, t('is {text}; give a day such as 2026-12-01', { text: JSON.stringify(text) }));
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

function bad(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}

function noRates(name: string, from: string): Fault {
  const message = t('is {from}, but no rates of {name} begin on that day; see /api/pay/tables', {
    from,
    name,
  });
  return new Fault('not_found', [{ field: 'from', message }]);
}

function unknownTable(): Fault {
  return new Fault('not_found', [
    { field: 'table', message: t('is not a rate table of your organization; see /api/pay/tables') },
  ]);
}

function nameTaken(name: string): Fault {
  const message = t('is {name}, which another rate table already uses; give another name', {
    name: JSON.stringify(name),
  });
  return new Fault('conflict', [{ field: 'name', message }]);
}
