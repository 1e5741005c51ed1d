import { union } from '../kit/interval.ts';
import { type AvailabilityRecord, commonMs, lengthOf, overlap, type Stint } from './planner.ts';

/** Somebody who is away for this part of a shift, or more, does not get it. */
const LARGE_PART = 0.1;

/**
 * Whether somebody is away for so much of a shift that they cannot have it. Under a tenth of it, and `smallMs` at most,
 * they have it all the same: a cover is found for that time.
 */
export function isAwayFor(records: readonly AvailabilityRecord[], shift: Stint, smallMs = 0): boolean {
  const absences = records.filter((record) => record.type === 'hard_unavailable' && overlap(record, shift));
  if (absences.length === 0) return false;
  const ms = union(absences).reduce((sum, absence) => sum + commonMs(absence, shift), 0);
  return ms > smallMs || ms >= LARGE_PART * lengthOf(shift);
}
