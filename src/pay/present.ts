import type { ChangeSince, Statement, StatementSummary } from './api-contract.ts';
import { keyOf } from './corrections.ts';
import type { Figures, Ledger, LiveStatement } from './figures.ts';
import { amountOf, amountText, digitsOf } from './money.ts';
import type { PersonRow, StoredPeriod, TableRow } from './store.ts';
import { refOfTable } from './tables.ts';

type Known = { people: readonly PersonRow[]; tables: readonly TableRow[] };

/** By the name of the person, then of the table. */
export function presentStatements(rows: readonly LiveStatement[], { people, tables }: Known): Statement[] {
  const places = new Map(people.map(({ person }, index) => [person.id, { person, index }]));
  const known = new Map(tables.map((table) => [table.id, table]));
  return rows
    .flatMap(({ userId, tableId, amount, content }) => {
      const [place, table] = [places.get(userId), known.get(tableId)];
      if (!place || !table) return [];
      const digits = digitsOf(table.currency);
      const corrected = content.corrections.reduce((sum, one) => sum + amountOf(one.amount), 0n);
      const statement: Statement = {
        person: place.person,
        table: refOfTable(table),
        milliseconds: lengthOf(content.on_call),
        called_out_milliseconds: lengthOf(content.call_outs),
        amount: amountText(amount, digits),
        corrected: amountText(corrected, digits),
        total: amountText(amount + corrected, digits),
        ...content,
      };
      return [{ statement, index: place.index }];
    })
    .sort((a, b) => a.index - b.index || a.statement.table.name.localeCompare(b.statement.table.name, 'en'))
    .map(({ statement }) => statement);
}

/** Each moment once, although several schedules may list it. */
function lengthOf(spans: readonly { from: string; to: string }[]): number {
  let [sum, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans) {
    const [begin, end] = [from, to].map((text) => Temporal.Instant.from(text).epochMilliseconds) as [
      number,
      number,
    ];
    sum += Math.max(0, end - Math.max(begin, until));
    until = Math.max(until, end);
  }
  return sum;
}

export function summaryOf({
  lines: _,
  corrections: __,
  on_call: ___,
  call_outs: ____,
  ...summary
}: Statement): StatementSummary {
  return summary;
}

/** By currency. */
export function totalsOf(statements: readonly Statement[]): { currency: string; total: string }[] {
  return [...Map.groupBy(statements, ({ table }) => table.currency)]
    .map(([currency, own]) => ({
      currency,
      total: amountText(
        own.reduce((sum, { total }) => sum + amountOf(total), 0n),
        digitsOf(currency),
      ),
    }))
    .sort((a, b) => a.currency.localeCompare(b.currency, 'en'));
}

/** The differences between today and the check or publication; none for a draft. */
export function changedSince(
  period: StoredPeriod,
  stored: readonly Statement[],
  ledger: Ledger,
  figures: Figures,
): ChangeSince[] {
  if (period.state === 'draft') return [];
  const differences = period.state === 'published' ? ledger.differences : sinceCheck(stored, figures, ledger);
  return differences.flatMap(({ key, published, now }) => {
    const [userId, tableId] = key.split(' ');
    const person = ledger.people.find((row) => row.person.id === userId)?.person;
    const table = ledger.tables.find(({ id }) => id === tableId);
    if (!person || !table) return [];
    const text = (amount: bigint) => amountText(amount, digitsOf(table.currency));
    return [
      {
        ...{ person, table: refOfTable(table) },
        ...{ published: text(published), now: text(now), difference: text(now - published) },
      },
    ];
  });
}

function sinceCheck(stored: readonly Statement[], figures: Figures, ledger: Ledger) {
  const amounts = (statements: readonly Statement[]) =>
    new Map(
      statements.map(({ person, table, total }) => [
        keyOf({ userId: person.id, tableId: table.id }),
        amountOf(total),
      ]),
    );
  const [before, today] = [amounts(stored), amounts(presentStatements(figures.statements, ledger))];
  return [...new Set([...before.keys(), ...today.keys()])]
    .map((key) => ({ key, published: before.get(key) ?? 0n, now: today.get(key) ?? 0n }))
    .filter(({ published, now }) => published !== now);
}
