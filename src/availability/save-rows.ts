import type { Handle } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { AvailabilityRow, SavedAvailabilityRow } from './record.ts';
import { findSame, insertMissing, type RowWithId } from './store.ts';

/** Rows of one statement. Larger batches are hardly faster, but block other work for longer. */
const BATCH = 1_000;
const MAX_ROUNDS = 3;

/**
 * Saves the rows that do not exist yet and returns the record of each, in order. Equal rows give the same record.
 * @throws the reason of the signal, between two batches, if it is aborted
 */
export async function saveRows(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  rows: readonly AvailabilityRow[],
  signal?: AbortSignal,
): Promise<SavedAvailabilityRow[]> {
  const saved = new Array<SavedAvailabilityRow>(rows.length);
  // Always insert in the same order, so that two uploads of the same rows cannot deadlock.
  const order = [...rows.keys()].sort((a, b) =>
    inOrder(rows[a] as AvailabilityRow, rows[b] as AvailabilityRow),
  );
  for (let from = 0; from < order.length; from += BATCH) {
    signal?.throwIfAborted();
    const indices = order.slice(from, from + BATCH);
    const batch = indices.map((index) => rows[index] as AvailabilityRow);
    const records = await saveBatch(db, at, organizationId, batch);
    for (const [position, index] of indices.entries())
      saved[index] = records[position] as SavedAvailabilityRow;
  }
  return saved;
}

function inOrder(a: AvailabilityRow, b: AvailabilityRow): number {
  return (
    compare(a.startsAt, b.startsAt) ||
    compare(a.userId, b.userId) ||
    compare(a.endsAt, b.endsAt) ||
    compare(a.type, b.type) ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function saveBatch(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  batch: readonly AvailabilityRow[],
): Promise<SavedAvailabilityRow[]> {
  const identities = batch.map(identityOf);
  const saved = new Map<string, SavedAvailabilityRow>();
  let open = withIds(identities, batch);
  // Usually takes one round. A second one is needed if another transaction deletes a record between the two statements.
  for (let round = 1; open.size > 0; round++) {
    if (round > MAX_ROUNDS) throw new Error('availability records can neither be saved nor found');
    for (const [identity, record] of await saveOrFind(db, at, organizationId, open))
      saved.set(identity, record);
    open = new Map([...open].filter(([identity]) => !saved.has(identity)));
  }
  return identities.map((identity) => saved.get(identity) as SavedAvailabilityRow);
}

/** Equal for rows that the database considers the same. The name comes last, because it may contain any character. */
function identityOf({ userId, type, name, startsAt, endsAt }: AvailabilityRow): string {
  return `${userId} ${type} ${startsAt} ${endsAt} ${name}`;
}

/** The distinct rows, each with the id that its record gets if it is new. */
function withIds(
  identities: readonly string[],
  rows: readonly AvailabilityRow[],
): ReadonlyMap<string, RowWithId> {
  const distinct = new Map(identities.map((identity, index) => [identity, rows[index] as AvailabilityRow]));
  return new Map([...distinct].map(([identity, row]) => [identity, { ...row, id: newId('availability') }]));
}

/** By identity; rows that were neither created nor found are missing. */
async function saveOrFind(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  open: ReadonlyMap<string, RowWithId>,
): Promise<Map<string, SavedAvailabilityRow>> {
  const rows = [...open.values()];
  const created = await insertMissing(db, at, organizationId, rows);
  const others = rows.filter((row) => !created.has(row.id));
  const found = others.length > 0 ? await findSame(db, organizationId, others) : new Map<string, never>();
  const now = at.toString();
  const saved = new Map<string, SavedAvailabilityRow>();
  for (const [identity, { id }] of open) {
    const same = found.get(id);
    if (created.has(id)) saved.set(identity, { id, created: true, createdAt: now, updatedAt: now });
    else if (same) saved.set(identity, { ...same, created: false });
  }
  return saved;
}
