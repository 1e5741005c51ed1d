import type { HolidayPlace } from '../calendars/country-holidays.ts';
import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { MOST_TABLES } from '../pay/api-contract.ts';
import type { Rates } from '../pay/contract.ts';
import { isCurrency } from '../pay/money.ts';
import {
  deleteRates,
  deleteTable,
  forgetHolidays,
  isTableUsed,
  listTables,
  lockPay,
  saveRates,
  saveTable,
  type TableRow,
} from '../pay/store.ts';
import { noCurrency, tableKey } from '../pay/tables.ts';
import type { Organization } from '../people/store.ts';
import { beginning, type Change, difference } from './change.ts';
import type { FileDocument } from './file/document.ts';
import type { OperatorFile, PayTableEntry } from './file/shape.ts';
import { ratesDifferences } from './rates-text.ts';
import { savePayPeople } from './save-pay-people.ts';

export type PayTableSaving = {
  tx: Tx;
  at: Temporal.Instant;
  document: FileDocument;
  organization: Organization;
  /** The ids of everybody, by email key. */
  users: ReadonlyMap<string, string>;
  /** Of the entries that name a country. */
  places: ReadonlyMap<PayTableEntry, HolidayPlace>;
  prune: boolean;
};

export type SavedPayTables = { changes: Change[]; notes: string[] };

/**
 * Saves the rate tables of the file, and which people are paid by which of them. With `prune`, tables that the file does not
 * mention are removed, but only if it mentions any, and none by which somebody was or is paid.
 */
export async function savePay(saving: PayTableSaving, file: OperatorFile): Promise<SavedPayTables> {
  const { pay_tables: entries, users = [] } = file;
  if (!entries && !users.some(({ pay }) => pay)) return { changes: [], notes: [] };
  await lockPay(saving.tx, saving.organization.id);
  if (!entries) return { changes: await savePayPeople(saving, users), notes: [] };
  const { changes, gone } = await saveTables(saving, entries);
  changes.push(...(await savePayPeople(saving, users)));
  const pruned = saving.prune ? await pruneTables(saving, gone) : { changes: [], notes: [] };
  const count = entries.length + gone.length - pruned.changes.length;
  if (count > MOST_TABLES)
    saving.document.report(
      'pay_tables',
      `would make ${count} rate tables of the organization, which has ${MOST_TABLES} at most; leave some out, or delete others first`,
    );
  return { changes: [...changes, ...pruned.changes], notes: pruned.notes };
}

/** `gone`: the tables that the file does not mention. */
async function saveTables(
  saving: PayTableSaving,
  entries: readonly PayTableEntry[],
): Promise<{ changes: Change[]; gone: TableRow[] }> {
  const { tx, organization } = saving;
  const stored = await listTables(tx, organization.id);
  const known = new Map(stored.map((table) => [tableKey(table.name), table]));
  const kept = new Set(entries.map(({ name }) => known.get(tableKey(name))?.id));
  const gone = stored.filter(({ id }) => !kept.has(id));
  const usual = usualAfter(entries, stored);
  const changes: Change[] = [];
  for (const entry of entries)
    changes.push(...(await saveEntry(saving, entry, known.get(tableKey(entry.name)), usual)));
  return { changes, gone };
}

/**
 * The name of the default table after the file: as in the file, otherwise as in the database; the very first table is
 * the default.
 */
function usualAfter(entries: readonly PayTableEntry[], stored: readonly TableRow[]): string | null {
  const said = entries.find((entry) => entry.default === true);
  const before = stored.find(({ isDefault }) => isDefault);
  const isDenied = entries.some(
    (entry) => entry.default === false && tableKey(entry.name) === tableKey(before?.name ?? ''),
  );
  const [first] = stored.length === 0 ? entries.filter((entry) => entry.default !== false) : [];
  const name = said?.name ?? (isDenied ? undefined : before?.name) ?? first?.name;
  return name === undefined ? null : tableKey(name);
}

type Values = Pick<TableRow, 'name' | 'currency' | 'timeZone' | 'country' | 'region' | 'isDefault'>;

async function saveEntry(
  saving: PayTableSaving,
  entry: PayTableEntry,
  before: TableRow | undefined,
  usual: string | null,
): Promise<Change[]> {
  const { tx, at, organization } = saving;
  const currency = currencyOf(saving, entry, before);
  if (currency === null) return [];
  const values = { ...valuesOf(saving, entry, before, currency), isDefault: tableKey(entry.name) === usual };
  const id = before?.id ?? newId('pay_table');
  const changed = before ? changesOf(before, values) : detailsOf(values);
  if (!before || changed.length > 0) await saveTable(tx, at, organization.id, id, values);
  if (before && (before.country !== values.country || before.region !== values.region))
    await forgetHolidays(tx, id);
  const details = [...changed, ...(await saveVersions(saving, id, entry, before?.versions ?? []))];
  if (before && details.length === 0) return [];
  return [{ action: before ? 'change' : 'add', kind: 'pay_table', id, name: values.name, details }];
}

/** Null, and reported, if it is missing, unknown or another one than the table has. */
function currencyOf(
  { document }: PayTableSaving,
  entry: PayTableEntry,
  before: TableRow | undefined,
): string | null {
  const { currency = before?.currency, name } = entry;
  const problem =
    currency === undefined
      ? 'is missing; give the currency of a new rate table, such as EUR'
      : before && before.currency !== currency
        ? `is ${currency}, but the rate table ${name} has ${before.currency}, which cannot change; give the new one another name`
        : isCurrency(currency)
          ? null
          : noCurrency(currency);
  if (problem === null) return currency ?? null;
  const path = document.pathOf(entry, 'currency');
  if (!document.hasErrorsAt(path)) document.report(path, problem);
  return null;
}

function valuesOf(
  { organization, places }: PayTableSaving,
  entry: PayTableEntry,
  before: TableRow | undefined,
  currency: string,
): Omit<Values, 'isDefault'> {
  const place = entry.country === undefined ? before : (places.get(entry) ?? null);
  return {
    name: entry.name.trim(),
    currency,
    timeZone: entry.time_zone ?? before?.timeZone ?? organization.timeZone,
    country: place?.country ?? null,
    region: place?.region ?? null,
  };
}

const placeText = ({ country, region }: Pick<Values, 'country' | 'region'>) =>
  country === null ? null : region === null ? country : `${country}-${region}`;

function detailsOf(values: Values): string[] {
  return [
    values.currency,
    values.timeZone,
    ...beginning('holidays', placeText(values)),
    ...(values.isDefault ? ['default'] : []),
  ];
}

function changesOf(before: TableRow, after: Values): string[] {
  return [
    ...difference('name', before.name, after.name),
    ...difference('time zone', before.timeZone, after.timeZone),
    ...difference('holidays', placeText(before), placeText(after)),
    ...difference('default', before.isDefault ? 'yes' : 'no', after.isDefault ? 'yes' : 'no'),
  ];
}

type Version = { from: string; until: string | null; rates: Rates };

/** A list in the file replaces all rates of the table. */
async function saveVersions(
  { tx, organization }: PayTableSaving,
  tableId: string,
  { versions }: PayTableEntry,
  before: readonly Version[],
): Promise<string[]> {
  if (!versions) return [];
  const details: string[] = [];
  for (const { from, until = null, rates } of versions.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const was = before.find((one) => one.from === from);
    const changed = was
      ? [...difference('until', was.until, until), ...ratesDifferences(was.rates, rates)]
      : ['are new'];
    if (changed.length === 0) continue;
    await saveRates(tx, organization.id, tableId, { from, until, rates });
    details.push(`rates from ${from}: ${changed.join(', ')}`);
  }
  for (const { from } of before.filter((one) => !versions.some((version) => version.from === one.from))) {
    await deleteRates(tx, organization.id, tableId, from);
    details.push(`rates from ${from}: are removed`);
  }
  return details;
}

async function pruneTables(
  { tx, organization }: PayTableSaving,
  gone: readonly TableRow[],
): Promise<SavedPayTables> {
  const saved: SavedPayTables = { changes: [], notes: [] };
  for (const { id, name } of gone) {
    if (await isTableUsed(tx, organization.id, id))
      saved.notes.push(`rate table ${name} stays: people are assigned to it or were paid by it`);
    else {
      await deleteTable(tx, organization.id, id);
      saved.changes.push({ action: 'remove', kind: 'pay_table', id, name, details: [] });
    }
  }
  return saved;
}
