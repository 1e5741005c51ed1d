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

/** Equal for records that the database holds to be one and the same. */
export function identityOf(availability: NewAvailability): string {
  const { userId, type, name, startsAt, endsAt } = availability;
  // The name is last: it may hold any character.
  return `${userId} ${type} ${startsAt.epochNanoseconds} ${endsAt.epochNanoseconds} ${name}`;
}
