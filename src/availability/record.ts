import type { AvailabilityType } from './contract.ts';

/** An absence or a preference, from `startsAt` up to, but not including, `endsAt`. */
export type NewAvailability = {
  userId: string;
  type: AvailabilityType;
  /** A label, kept as it was given; may be empty. */
  name: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
};

export type AvailabilityRecord = NewAvailability & {
  id: string;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
};

/**
 * A row of a large upload: the times are ISO 8601 text in UTC. A hundred thousand pairs of `Temporal.Instant` would
 * take hundreds of megabytes outside the heap, which do not trigger garbage collection.
 */
export type AvailabilityRow = Omit<NewAvailability, 'startsAt' | 'endsAt'> & {
  startsAt: string;
  endsAt: string;
};

/** The record of a row; `created` is false if it existed before, in which case it is unchanged. */
export type SavedAvailabilityRow = { id: string; created: boolean; createdAt: string; updatedAt: string };
