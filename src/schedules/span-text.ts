import type { Interval } from '../kit/interval.ts';

/** `Tue 24 Nov 09:00 to Wed 25 Nov 09:00 (Europe/Berlin)`, for a reader in that zone. */
export function spanText({ from, to }: Interval, timeZone: string): string {
  return `${momentText(from, timeZone)} to ${momentText(to, timeZone)} (${timeZone})`;
}

/** `Tue 24 Nov 09:00` */
export function momentText(epochMilliseconds: number, timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(timeZone);
  const day = at.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
  return `${day.replace(',', '')} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
