import type { Handle } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { AvailabilityRow, SavedAvailabilityRow } from './record.ts';
import { findSame, insertMissing, type RowWithId } from './store.ts';

/** Rows that one statement takes. Larger ones are hardly quicker, but keep the process from its other work for longer. */
const BATCH = 1_000;
const MAX_ROUNDS = 3;

/**
 * Saves the rows that are not there yet and returns the record of each, in their order. Equal rows give the same
 * record. Throws the signal's reason between two batches when it is aborted.
 */
export async function saveRows(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  rows: readonly AvailabilityRow[],
  signal?: AbortSignal,
): Promise<SavedAvailabilityRow[]> {
  const saved = new Array<SavedAvailabilityRow>(rows.length);
  // One order everywhere: two uploads of the same rows wait for each other, never in a circle.
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
  // Usually one round. A record that another transaction removes between our two statements needs a second one.
  for (let round = 1; open.size > 0; round++) {
    if (round > MAX_ROUNDS) throw new Error('availability records can neither be saved nor found');
    for (const [identity, record] of await saveOrFind(db, at, organizationId, open))
      saved.set(identity, record);
    open = new Map([...open].filter(([identity]) => !saved.has(identity)));
  }
  return identities.map((identity) => saved.get(identity) as SavedAvailabilityRow);
}

/** Equal for rows that the database holds to be one and the same. The name is last: it may hold any character. */
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

/** By identity; a row that is neither created nor found is missing. */
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
