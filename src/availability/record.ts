import type { AvailabilityType } from './contract.ts';

/** When somebody does not want to be, cannot be, or asks to be on call: from `startsAt` up to, not including, `endsAt`. */
export type NewAvailability = {
  userId: string;
  type: AvailabilityType;
  /** Label, kept as it was given; may be empty. */
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
 * One of many: the times are ISO 8601 text in UTC. A hundred thousand pairs of `Temporal.Instant` would hold hundreds
 * of megabytes outside the heap, where nothing hurries the garbage collector.
 */
export type AvailabilityRow = Omit<NewAvailability, 'startsAt' | 'endsAt'> & {
  startsAt: string;
  endsAt: string;
};

/** The record that a row became, or was before: then `created` is false and it stays as it was. */
export type SavedAvailabilityRow = { id: string; created: boolean; createdAt: string; updatedAt: string };
