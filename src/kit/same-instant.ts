/** How long the retries of a transaction use the instant of its first attempt, so that they compute the same plan. */
const SAME_INSTANT_SECONDS = 60;

/** The instant of the first attempt, or `now` if that is too long ago. */
export function instantFor(first: Temporal.Instant | null, now: Temporal.Instant): Temporal.Instant {
  const age = first?.until(now).total('seconds') ?? Number.POSITIVE_INFINITY;
  return first && age >= 0 && age < SAME_INSTANT_SECONDS ? first : now;
}
