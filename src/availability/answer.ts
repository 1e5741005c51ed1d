import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commas, t } from '../language/contract.ts';
import type { Conflicts } from './conflicts.ts';
import type { PreviewedAvailability, RefusedAvailability, SavedAvailability } from './contract.ts';
import type { Problems } from './problems.ts';
import type { SavedAvailabilityRow } from './record.ts';
import type { Absence, ReadRow } from './row.ts';
import type { FoundPerson } from './store.ts';

/**
 * A finished answer. Its JSON is rendered on demand, piece by piece if it is large: a hundred thousand records are 48
 * MB.
 */
export type Answer = { status: number; body(): string | Buffer | Readable };

/** A rendered answer. A large one is a stream that holds none of the rows. */
export type FinishedAnswer = { status: number; body: string | Buffer | Readable };

/** How many rows are rendered in one go; other work gets a turn between slices. */
const SLICE = 250;

/** The most emails in a message; the rest are in `invalid`. */
const NAMED = 5;

/** A row and the user to whom its email belongs. */
export type MatchedRow = { row: Absence; person: FoundPerson };

export function previewed(
  rows: readonly MatchedRow[],
  conflicts: Conflicts,
  warnings: readonly string[],
): Answer {
  const message = t(
    '{count, plural, one {# record is} other {{count} records are}} previewed and nothing was saved; pass commit=save to make it real.',
    { count: rows.length },
  );
  return render(
    200,
    { ok: true, message, ...withWarnings(warnings), ...withConflicts(conflicts) },
    rows,
    presentPreview,
  );
}

/** A row and its record; equal rows have the same record. */
export type SavedRow = MatchedRow & { record: SavedAvailabilityRow };

export function saved(
  rows: readonly SavedRow[],
  counts: { all: number; created: number },
  conflicts: Conflicts,
  warnings: readonly string[],
): Answer {
  return render(
    200,
    { ok: true, message: savedMessage(counts), ...withWarnings(warnings), ...withConflicts(conflicts) },
    rows,
    presentSaved,
  );
}

/** No CSV file with an acceptable header was sent. */
export function withoutHeaders(reason: string): Answer {
  const message = t(
    'A CSV with acceptable headers is required (email, start_time and optionally end_time, name): {reason}.',
    { reason },
  );
  return render(400, { ok: false, message });
}

/** Some emails belong to nobody; the rows are otherwise valid. */
export function unmatched(rows: readonly ReadRow[], strangers: readonly ReadRow[]): Answer {
  const named = strangers
    .slice(0, NAMED)
    .map(({ email, row }) => t('{email} (row {row})', { email, row: String(row) }));
  const message = t(
    'The upload contains unmatched users, and nothing was saved: {people}. Add them first, or correct their email addresses.',
    { people: andMore(named, strangers.length - named.length) },
  );
  return render(400, { ok: false, message, invalid: emailsOf(strangers) }, rows, presentRefused);
}

/** `a@example.com, b@example.com and 3 more` */
export function andMore(named: readonly string[], more: number): string {
  const names = commas(named);
  return more > 0 ? t('{names} and {count} more', { names, count: more }) : names;
}

/** Some rows are invalid; emails that belong to nobody are listed as well. */
export function wrongRows(
  rows: readonly ReadRow[],
  problems: Problems,
  strangers: readonly ReadRow[],
): Answer {
  const { count } = problems;
  const invalid = strangers.length > 0 ? { invalid: emailsOf(strangers) } : {};
  const message =
    strangers.length > 0
      ? t(
          'The upload contains unmatched users and has {count, plural, one {# problem} other {{count} problems}} in its rows, and nothing was saved; correct what the details name and send the file again.',
          { count },
        )
      : t(
          'The upload has {count, plural, one {# problem} other {{count} problems}} in its rows, and nothing was saved; correct what the details name and send the file again.',
          { count },
        );
  return render(400, { ok: false, message, ...invalid, details: problems.details() }, rows, presentRefused);
}

/** The number of distinct records, and how many of them are new. Equal rows are one record. */
export function countRecords(records: Iterable<SavedAvailabilityRow>): { all: number; created: number } {
  const created = new Map<string, boolean>();
  for (const record of records) if (!created.get(record.id)) created.set(record.id, record.created);
  let added = 0;
  for (const isNew of created.values()) if (isNew) added++;
  return { all: created.size, created: added };
}

function savedMessage({ all, created }: { all: number; created: number }): string {
  const known = all - created;
  return known === 0
    ? t('{created, plural, one {# record was} other {{created} records were}} created.', { created })
    : t(
        '{created, plural, one {# record was} other {{created} records were}} created; {known, plural, one {# had been saved before and stays as it is} other {{known} had been saved before and stay as they are}}.',
        { created, known },
      );
}

function withWarnings(warnings: readonly string[]): { warnings?: readonly string[] } {
  return warnings.length > 0 ? { warnings } : {};
}

/** Adds the affected shifts, if there are any. */
function withConflicts({ shifts, total }: Conflicts): {
  shifts?: Conflicts['shifts'];
  shifts_total?: number;
} {
  return total > 0 ? { shifts, shifts_total: total } : {};
}

function emailsOf(rows: readonly ReadRow[]): string[] {
  return rows.map((row) => row.email);
}

function presentPreview({ row, person }: MatchedRow): PreviewedAvailability {
  const { id, username, email } = person;
  return {
    name: row.name,
    time_range_start: row.startsAt,
    time_range_end: row.endsAt,
    organization_user: { id, username, email },
  };
}

function presentSaved({ row, person, record }: SavedRow): SavedAvailability {
  return {
    id: record.id,
    organization_user_id: person.id,
    availability_type: 'hard_unavailable',
    name: row.name,
    time_range_start: row.startsAt,
    time_range_end: row.endsAt,
    created_at: toMilliseconds(record.createdAt),
    updated_at: toMilliseconds(record.updatedAt),
    organization_user: { id: person.id, name: person.name, email: person.email },
  };
}

/** `2026-11-20T09:00:00.123456Z` → `2026-11-20T09:00:00.123Z`; by text, because it runs a hundred thousand times. */
function toMilliseconds(time: string): string {
  const [seconds, fraction = ''] = time.slice(0, -1).split('.');
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

function presentRefused({ name, email, startsAt, endsAt }: ReadRow): RefusedAvailability {
  return { name, email, start_time: startsAt, end_time: endsAt, id: null, username: null };
}

/** Renders `head` as JSON, with the presented `items` as its last property. */
function render<Item>(
  status: number,
  head: object,
  items?: readonly Item[],
  present?: (item: Item) => object,
): Answer {
  const text = JSON.stringify(head);
  if (!items || !present) return { status, body: () => text };
  const pieces = () => renderPieces(text, items, present);
  const isSmall = items.length <= SLICE;
  return {
    status,
    body: () => (isSmall ? [...pieces()].join('') : Readable.from(inTurns(pieces()), { objectMode: false })),
  };
}

/** Yields to other work between pieces, even if the reader takes all of them at once. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

function* renderPieces<Item>(
  head: string,
  items: readonly Item[],
  present: (item: Item) => object,
): Generator<string> {
  yield `${head.slice(0, -1)},"availabilities":[`;
  for (let from = 0; from < items.length; from += SLICE) {
    const list = JSON.stringify(items.slice(from, from + SLICE).map(present)).slice(1, -1);
    yield from === 0 ? list : `,${list}`;
  }
  yield ']}';
}
