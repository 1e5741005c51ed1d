import type { Zone } from '../kit/zones.ts';

const MORNING_HOURS = 8;
/** Somebody who is up at four means the morning that is about to come only if it is worth the wait. */
const AT_LEAST_MS = 2 * 3_600_000;

/** The next 08:00 of the zone that is at least two hours away. */
export function morningAfter(at: number, zone: Zone): number {
  const today = eight(zone.date(at), zone);
  return today - at >= AT_LEAST_MS ? today : eight(zone.date(zone.addDays(at, 1)), zone);
}

/** By the clock of the zone, so that it stays 08:00 on days when clocks change. */
function eight(date: string, zone: Zone): number {
  const text = `${date}T${String(MORNING_HOURS).padStart(2, '0')}:00`;
  const at = zone.fromInput(text);
  if (at === null) throw new RangeError(`${text} is not a time of ${zone.name}`);
  return at;
}
