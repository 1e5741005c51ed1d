import { type Cell, csvText } from '../reports/csv.ts';
import type { Statement } from './api-contract.ts';

const HEADER = [
  ...[
    'name',
    'email',
    'rate_table',
    'currency',
    'period_first',
    'period_last',
    'kind',
    'class',
    'rates_from',
  ],
  ...['hours', 'rate', 'amount', 'from_stage'],
];

/** One row for each line and correction of each statement. The amounts of a person add up to the total. */
export function csvOfStatements(
  statements: readonly Statement[],
  period: { first: string; last: string },
): string {
  return csvText(
    HEADER,
    statements.flatMap((statement) => rowsOf(statement, period)),
  );
}

function rowsOf(
  { person, table, lines, corrections }: Statement,
  period: { first: string; last: string },
): Cell[][] {
  const who = [person.name, person.email, table.name, table.currency];
  return [
    ...lines.map((line) => [
      ...[...who, period.first, period.last, line.kind, line.class, line.rates_from],
      ...[{ decimal: hoursText(line.milliseconds) }, { decimal: line.rate }, { decimal: line.amount }],
      line.from_stage ?? null,
    ]),
    ...corrections.map(({ period: { first, last }, amount }) => [
      ...[...who, first, last, 'correction', null, null, null, null],
      ...[{ decimal: amount }, null],
    ]),
  ];
}

/** Hours with six decimals, which are milliseconds: `62.500000`. */
function hoursText(milliseconds: number): string {
  const millionths = (BigInt(milliseconds) * 1_000_000n + 1_800_000n) / 3_600_000n;
  const text = millionths.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}
