/** For so long a transaction may be repeated as of the same instant, so that its plans depend on the same. */
const SAME_INSTANT_SECONDS = 60;

/** That of the attempt before, unless it is too long ago. */
export function instantFor(first: Temporal.Instant | null, now: Temporal.Instant): Temporal.Instant {
  const age = first?.until(now).total('seconds') ?? Number.POSITIVE_INFINITY;
  return first && age >= 0 && age < SAME_INSTANT_SECONDS ? first : now;
}
