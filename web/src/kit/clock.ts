/**
 * Clocks of phones and computers are wrong more often than the server's. A difference of this size is network latency.
 */
const TOLERANCE_MS = 3_000;

let offsetMs = 0;

/** Compares the local clock with the time of an answer, such as its `Date` header, when it was received. */
export function heardTime(date: string | null, receivedAt = Date.now()): void {
  const difference = date === null ? Number.NaN : Date.parse(date) - receivedAt;
  if (!Number.isNaN(difference)) offsetMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** The current time by the server's clock, so that countdowns are correct. */
export function serviceNow(): Date {
  return new Date(Date.now() + offsetMs);
}
