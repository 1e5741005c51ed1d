import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { type AvailabilityRecord, identityOf, type NewAvailability } from './record.ts';
import { findSame, insertMissing } from './store.ts';

/** What became of one wanted record: `created`, or it had been saved before and stays as it was. */
export type UpsertedAvailability = { record: AvailabilityRecord; created: boolean };

/** Rows that one statement takes: each stays far below the limit for a statement's time. */
const BATCH = 5_000;
const MAX_ROUNDS = 3;

/**
 * Saves the records that are not there yet and returns one for each row, in the order of the rows. Equal rows give
 * the same record. The people must belong to the organization: the database refuses others.
 */
export async function upsertAvailabilities(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  rows: readonly NewAvailability[],
): Promise<UpsertedAvailability[]> {
  return upsert(tx, at, organizationId, rows);
}

/** Saves one record, or finds the one that is equal to it. */
export async function insertAvailability(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  row: NewAvailability,
): Promise<AvailabilityRecord> {
  const [saved] = await upsert(db, at, organizationId, [row]);
  return (saved as UpsertedAvailability).record;
}

async function upsert(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  rows: readonly NewAvailability[],
): Promise<UpsertedAvailability[]> {
  const identities = rows.map(identityOf);
  const wanted = new Map<string, AvailabilityRecord>();
  for (const [index, identity] of identities.entries()) {
    if (!wanted.has(identity)) wanted.set(identity, newRecord(rows[index] as NewAvailability, at));
  }
  // One order everywhere: two uploads of the same rows wait for each other, never in a circle.
  const ordered = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1));
  const saved = new Map<string, UpsertedAvailability>();
  for (let from = 0; from < ordered.length; from += BATCH) {
    await saveBatch(db, organizationId, new Map(ordered.slice(from, from + BATCH)), saved);
  }
  return identities.map((identity) => saved.get(identity) as UpsertedAvailability);
}

function newRecord(row: NewAvailability, at: Temporal.Instant): AvailabilityRecord {
  const { userId, type, name, startsAt, endsAt } = row;
  return { id: newId('availability'), userId, type, name, startsAt, endsAt, createdAt: at, updatedAt: at };
}

/** Saves or finds each record and puts it into `saved` under its identity. */
async function saveBatch(
  db: Handle,
  organizationId: string,
  records: ReadonlyMap<string, AvailabilityRecord>,
  saved: Map<string, UpsertedAvailability>,
): Promise<void> {
  let open = [...records];
  // Usually one round. A record that another transaction removes between our two statements needs a second one.
  for (let round = 1; open.length > 0; round++) {
    if (round > MAX_ROUNDS) throw new Error('availability records can neither be saved nor found');
    const all = open.map(([, record]) => record);
    const created = await insertMissing(db, organizationId, all);
    const others = all.filter((record) => !created.has(record.id));
    const found = others.length > 0 ? await findSame(db, organizationId, others) : new Map<string, never>();
    for (const [identity, record] of open) {
      const same = found.get(record.id);
      if (created.has(record.id)) saved.set(identity, { record, created: true });
      else if (same) saved.set(identity, { record: { ...record, ...same }, created: false });
    }
    open = open.filter(([identity]) => !saved.has(identity));
  }
}
