import { setImmediate as nextTurn } from 'node:timers/promises';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import type { UpsertedAvailability } from './actions.ts';
import type { PreviewedAvailability, RefusedAvailability, SavedAvailability } from './contract.ts';
import type { Problems } from './problems.ts';
import type { Absence, ReadRow } from './row.ts';
import type { Person } from './store.ts';

/** A finished answer: large ones are rendered piece by piece and kept as bytes. */
export type Answer = { status: number; body: Buffer };

/** Presented and rendered in one go; between two such slices the process does its other work. */
const SLICE = 2_000;

/** Emails that a message names; the rest are in `invalid`. */
const NAMED = 5;

/** A row and the user that its email belongs to. */
export type MatchedRow = { row: Absence; person: Person };

export function previewed(rows: readonly MatchedRow[], warnings: readonly string[]): Promise<Answer> {
  const subject = rows.length === 1 ? '1 record is' : `${rows.length} records are`;
  const message = `${subject} previewed and nothing was saved; pass commit=save to make it real.`;
  return render(200, { ok: true, message, ...withWarnings(warnings) }, rows, presentPreview);
}

export type SavedRow = { saved: UpsertedAvailability; person: Person };

export function saved(rows: readonly SavedRow[], warnings: readonly string[]): Promise<Answer> {
  return render(
    200,
    { ok: true, message: savedMessage(rows), ...withWarnings(warnings) },
    rows,
    presentSaved,
  );
}

/** No CSV with acceptable headers was sent. */
export function withoutHeaders(reason: string): Promise<Answer> {
  const message = `A CSV with acceptable headers is required (email, start_time and optionally end_time, name): ${reason}.`;
  return render(400, { ok: false, message });
}

/** Some emails belong to nobody; the rows are fine otherwise. */
export function unmatched(rows: readonly ReadRow[], strangers: readonly ReadRow[]): Promise<Answer> {
  const named = strangers.slice(0, NAMED).map((row) => `${row.email} (row ${row.row})`);
  const more = strangers.length > NAMED ? ` and ${strangers.length - NAMED} more` : '';
  const message = `The upload contains unmatched users, and nothing was saved: ${named.join(', ')}${more}. Add them first, or correct their email addresses.`;
  return render(400, { ok: false, message, invalid: emailsOf(strangers) }, rows, presentRefused);
}

/** Some rows are wrong; when emails belong to nobody besides, they are listed as well. */
export function wrongRows(
  rows: readonly ReadRow[],
  problems: Problems,
  strangers: readonly ReadRow[],
): Promise<Answer> {
  const count = problems.count === 1 ? '1 problem' : `${problems.count} problems`;
  const invalid = strangers.length > 0 ? { invalid: emailsOf(strangers) } : {};
  const message = `The upload has ${count} in its rows, and nothing was saved; correct what the details name and send the file again.`;
  return render(400, { ok: false, message, ...invalid, details: problems.details() }, rows, presentRefused);
}

function savedMessage(rows: readonly SavedRow[]): string {
  const created = new Set<string>();
  const known = new Set<string>();
  for (const { saved: one } of rows) (one.created ? created : known).add(one.record.id);
  const news = `${created.size} ${created.size === 1 ? 'record was' : 'records were'} created`;
  const rest = known.size === 1 ? 'stays as it is' : 'stay as they are';
  return known.size === 0 ? `${news}.` : `${news}; ${known.size} had been saved before and ${rest}.`;
}

function withWarnings(warnings: readonly string[]): { warnings?: readonly string[] } {
  return warnings.length > 0 ? { warnings } : {};
}

function emailsOf(rows: readonly ReadRow[]): string[] {
  return rows.map((row) => row.email);
}

function presentPreview({ row, person }: MatchedRow): PreviewedAvailability {
  const { id, username, email } = person;
  return {
    name: row.name,
    time_range_start: instantText(row.startsAt),
    time_range_end: instantText(row.endsAt),
    organization_user: { id, username, email },
  };
}

function presentSaved({ saved: { record }, person }: SavedRow): SavedAvailability {
  return {
    id: record.id,
    organization_user_id: record.userId,
    availability_type: record.type,
    name: record.name,
    time_range_start: instantText(record.startsAt),
    time_range_end: instantText(record.endsAt),
    created_at: instantText(record.createdAt),
    updated_at: instantText(record.updatedAt),
    organization_user: { id: person.id, name: person.name, email: person.email },
  };
}

function presentRefused(row: ReadRow): RefusedAvailability {
  return {
    name: row.name,
    email: row.email,
    start_time: instantTextOrNull(row.startsAt),
    end_time: instantTextOrNull(row.endsAt),
    id: null,
    username: null,
  };
}

/** JSON of the head, and with `items` of their list after it. */
async function render<Item>(
  status: number,
  head: object,
  items?: readonly Item[],
  present?: (item: Item) => object,
): Promise<Answer> {
  const text = JSON.stringify(head);
  if (!items || !present) return { status, body: Buffer.from(text) };
  const pieces = [Buffer.from(`${text.slice(0, -1)},"availabilities":[`)];
  for (let from = 0; from < items.length; from += SLICE) {
    const list = JSON.stringify(items.slice(from, from + SLICE).map(present)).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? list : `,${list}`));
    await nextTurn();
  }
  return { status, body: Buffer.concat([...pieces, Buffer.from(']}')]) };
}
