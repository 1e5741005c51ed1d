import type { Handle, Tx } from '../db/database.ts';
import type { AvailabilityRecord, AvailabilityRow, NewAvailability, SavedAvailabilityRow } from './record.ts';
import { saveRows } from './save-rows.ts';

/** A saved record; `created` is false if it existed before, in which case it is unchanged. */
export type UpsertedAvailability = { record: AvailabilityRecord; created: boolean };

/**
 * Saves the records that do not exist yet and returns one for each row, in order. Equal rows give the same record. The
 * database rejects people of other organizations.
 */
export async function upsertAvailabilities(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  rows: readonly NewAvailability[],
): Promise<UpsertedAvailability[]> {
  const saved = await saveRows(tx, at, organizationId, rows.map(rowOf));
  return rows.map((row, index) => {
    const one = saved[index] as SavedAvailabilityRow;
    return { record: recordOf(row, one), created: one.created };
  });
}

/** Saves one record, or returns the existing one that is equal to it. */
export async function insertAvailability(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  row: NewAvailability,
): Promise<AvailabilityRecord> {
  const [saved] = await saveRows(db, at, organizationId, [rowOf(row)]);
  return recordOf(row, saved as SavedAvailabilityRow);
}

function rowOf(row: NewAvailability): AvailabilityRow {
  return { ...row, startsAt: row.startsAt.toString(), endsAt: row.endsAt.toString() };
}

function recordOf(
  row: NewAvailability,
  { id, createdAt, updatedAt }: SavedAvailabilityRow,
): AvailabilityRecord {
  const [created, updated] = [Temporal.Instant.from(createdAt), Temporal.Instant.from(updatedAt)];
  return { ...row, id, createdAt: created, updatedAt: updated };
}
