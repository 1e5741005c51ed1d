import { createHash } from 'node:crypto';
import type { Handle } from '../db/database.ts';
import type { Interval } from '../kit/interval.ts';
import { unhurried } from '../kit/unhurried.ts';
import { interrupts } from '../reports/clocks.ts';
import { listServed } from '../reports/store.ts';
import { workOn } from './call-outs.ts';
import type { Correction, StatementContent } from './contract.ts';
import { type Amounts, type Difference, differencesOf, keyOf } from './corrections.ts';
import type { Days, PayTable } from './eras.ts';
import { amountText, digitsOf } from './money.ts';
import { AROUND_DAYS, type PageWork, type PersonFacts, type Priced, priceOfPerson } from './statement.ts';
import {
  holidaysOfTables,
  listPageEvents,
  listPaid,
  listPeople,
  listTables,
  type PageEventRow,
  type PersonRow,
  type StoredPeriod,
  type TableRow,
} from './store.ts';

/** The most published periods that are compared with today. */
const MOST_COMPARED = 12;
/** Pages that were raised up to this long before a period are read. */
const PAGES_BEFORE_DAYS = 30;

export type LiveStatement = {
  userId: string;
  tableId: string;
  /** For the period itself, in the smallest unit of the currency. */
  amount: bigint;
  content: StatementContent;
};

export type Figures = {
  statements: LiveStatement[];
  unpriced: { userId: string; spans: Interval[] }[];
  /** A fingerprint of all amounts and the times behind them. */
  digest: string;
};

export type Ledger = {
  tables: readonly TableRow[];
  people: readonly PersonRow[];
  /** A period as it is computed today, with the corrections that it would publish. */
  figuresOf(period: Pick<StoredPeriod, 'id' | 'first'>): Figures;
  /**
   * The amounts that the period, if it is published, would pay today, compared with its payments; empty if it is too old for the
   * next period to correct it.
   */
  differences: Difference[];
};

export type Asked = {
  organizationId: string;
  now: Temporal.Instant;
  /** Shifts and pages from this day on are complete. */
  keptSince: string;
};

/** Reads everything that affects pay in a period and the published periods before it, and prices it. */
export async function payLedger(
  db: Handle,
  { organizationId, now, keptSince }: Asked,
  period: StoredPeriod,
  periods: readonly StoredPeriod[],
): Promise<Ledger> {
  const complete = periods.filter(({ state, first }) => state === 'published' && first >= keptSince);
  const published = complete.filter(({ last }) => last < period.first).slice(0, MOST_COMPARED);
  const isCompared = complete.slice(0, MOST_COMPARED).some(({ id }) => id === period.id);
  const priced = [period, ...published];
  const [tables, holidays, people, paid] = await Promise.all([
    listTables(db, organizationId),
    holidaysOfTables(db, organizationId),
    listPeople(db, organizationId),
    listPaid(db, organizationId),
  ]);
  const known = new Map(tables.map((table) => [table.id, tableOf(table, holidays)]));
  const facts = await factsOf(db, organizationId, now, rangeOf(priced), people);
  const pricedOf = new Map<string, Map<string, Priced>>();
  for (const { id, first, last } of priced)
    pricedOf.set(id, await unhurried(priceAll(facts, known, { first, last })));
  const differences = (id: string) => differencesOf(id, paid, amountsOf(pricedOf.get(id) ?? new Map()));
  return {
    ...{ tables, people },
    figuresOf: ({ id, first }) =>
      figures(pricedOf.get(id) ?? new Map(), correctionsOf(published, first, differences, known), known),
    differences: isCompared ? differences(period.id) : [],
  };
}

function tableOf(
  { id, name, currency, timeZone, isDefault, versions }: TableRow,
  holidays: ReadonlyMap<string, ReadonlySet<string>>,
): PayTable {
  return { id, name, currency, timeZone, isDefault, versions, holidays: holidays.get(id) ?? new Set() };
}

/** Days of all zones around the periods. */
function rangeOf(periods: readonly Days[]) {
  const firsts = periods.map(({ first }) => first).sort();
  const lasts = periods.map(({ last }) => last).sort();
  const at = (day: string | undefined, days: number) =>
    Temporal.PlainDate.from(day ?? '1970-01-01')
      .add({ days })
      .toZonedDateTime('UTC')
      .toInstant();
  return { from: at(firsts[0], -AROUND_DAYS - 2), to: at(lasts.at(-1), AROUND_DAYS + 2) };
}

async function factsOf(
  db: Handle,
  organizationId: string,
  now: Temporal.Instant,
  range: { from: Temporal.Instant; to: Temporal.Instant },
  people: readonly PersonRow[],
): Promise<Map<string, PersonFacts>> {
  const before = { from: range.from.subtract({ hours: PAGES_BEFORE_DAYS * 24 }), to: range.to };
  const [served, events] = await Promise.all([
    listServed(db, organizationId, range),
    listPageEvents(db, organizationId, before),
  ]);
  const onCall = Map.groupBy(
    served.map((row) => ({ ...row, from: Math.round(row.from), to: Math.round(row.to) })),
    ({ userId }) => userId,
  );
  const work = workOf(events, now.epochMilliseconds);
  return new Map(
    people.map(({ person: { id }, assignments }) => [
      id,
      { assignments, onCall: onCall.get(id) ?? [], work: work.get(id) ?? [] },
    ]),
  );
}

/** A page calls nobody out while its urgency is low, because people read it when they have time. */
function workOf(
  events: readonly PageEventRow[],
  now: number,
): Map<string, (PageWork & { userId: string })[]> {
  const all = [...Map.groupBy(events.filter(interrupts), ({ pageId }) => pageId)].flatMap(([id, own]) =>
    workOn(own, now).map((work) => ({ ...work, page: { id, title: own[0]?.title ?? '' } })),
  );
  return Map.groupBy(all, ({ userId }) => userId);
}

function* priceAll(
  facts: ReadonlyMap<string, PersonFacts>,
  tables: ReadonlyMap<string, PayTable>,
  days: Days,
): Generator<void, Map<string, Priced>> {
  const priced = new Map<string, Priced>();
  for (const [userId, own] of facts) {
    if (own.onCall.length === 0 && own.work.length === 0) continue;
    priced.set(userId, priceOfPerson(own, tables, days));
    yield;
  }
  return priced;
}

function amountsOf(priced: ReadonlyMap<string, Priced>): Amounts {
  return new Map(
    [...priced].flatMap(([userId, { statements }]) =>
      statements.map(({ tableId, amount }) => [keyOf({ userId, tableId }), amount] as const),
    ),
  );
}

function correctionsOf(
  published: readonly StoredPeriod[],
  before: string,
  differences: (id: string) => Difference[],
  tables: ReadonlyMap<string, PayTable>,
): Map<string, Correction[]> {
  const corrections = new Map<string, Correction[]>();
  for (const { id, first, last } of published.toReversed()) {
    if (last >= before) continue;
    for (const { key, published: was, now } of differences(id)) {
      const table = tables.get(key.split(' ')[1] ?? '');
      const own = corrections.get(key) ?? [];
      corrections.set(key, own);
      own.push({
        period: { id, first, last },
        amount: amountText(now - was, digitsOf(table?.currency ?? 'EUR')),
      });
    }
  }
  return corrections;
}

function figures(
  priced: ReadonlyMap<string, Priced>,
  corrections: ReadonlyMap<string, Correction[]>,
  tables: ReadonlyMap<string, PayTable>,
): Figures {
  const statements = [...priced].flatMap(([userId, own]) =>
    own.statements.map(({ tableId, amount, content }) => ({
      ...{ userId, tableId, amount },
      content: { ...content, corrections: corrections.get(keyOf({ userId, tableId })) ?? [] },
    })),
  );
  const known = new Set(statements.map(keyOf));
  for (const [key, own] of corrections) {
    const [userId = '', tableId = ''] = key.split(' ');
    if (!known.has(key) && tables.has(tableId))
      statements.push({
        ...{ userId, tableId, amount: 0n },
        content: { lines: [], on_call: [], call_outs: [], corrections: own },
      });
  }
  const unpriced = [...priced].flatMap(([userId, { unpriced: spans }]) =>
    spans.length === 0 ? [] : [{ userId, spans }],
  );
  return { statements, unpriced, digest: digestOf(statements) };
}

/** Without names of schedules and pages, which may change without changing an amount. */
function digestOf(statements: readonly LiveStatement[]): string {
  const rows = statements
    .map(({ userId, tableId, amount, content: { lines, corrections } }) => [
      ...[userId, tableId, amount.toString()],
      lines.map(({ spans, ...line }) => line),
      corrections,
    ])
    .map((row) => JSON.stringify(row))
    .sort();
  return createHash('sha256').update(rows.join('\n')).digest('base64url').slice(0, 22);
}
