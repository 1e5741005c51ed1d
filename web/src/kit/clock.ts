/** Clocks of phones and desks are wrong more often than that of the service; a second or two is the way between. */
const TOLERANCE_MS = 3_000;

let offsetMs = 0;

/** Takes note of what time it is for the service, from the `Date` of an answer. */
export function heardTime(date: string | null): void {
  const difference = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (!Number.isNaN(difference)) offsetMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** Now, by the clock of the service: what counts down must be right. */
export function serviceNow(): Date {
  return new Date(Date.now() + offsetMs);
}
