import ICAL from 'ical.js';
import { WINDOWS_ZONES } from './windows-zones.ts';

/** Converts times of one calendar; times without a zone are in `timeZone`. */
export type LocalTimes = {
  /** Epoch milliseconds of a property's value. Dates begin at midnight in `timeZone`. */
  at(time: ICAL.Time, tzid: string | null): number;
  /** What the clocks of that zone show at a time in UTC. */
  wall(utc: ICAL.Time, tzid: string | null): Wall;
};

type Wall = Pick<ICAL.Time, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>;

export function localTimes(calendar: ICAL.Component, timeZone: string): LocalTimes {
  const own = new Map(
    calendar.getAllSubcomponents('vtimezone').map((component) => {
      const tzid = String(component.getFirstPropertyValue('tzid'));
      return [tzid, new ICAL.Timezone({ component, tzid })];
    }),
  );
  const said = String(calendar.getFirstPropertyValue('x-wr-timezone') ?? '');
  const floating = isZone(said) ? said : (WINDOWS_ZONES.get(said) ?? timeZone);
  const zoneOf = (tzid: string | null): string | ICAL.Timezone => {
    if (tzid === null) return floating;
    const name = tzid.replace(/^\/[^/]+\/(?:[^/]+\/)?(?=[A-Z][a-z]+\/)/, '');
    if (isZone(name)) return name;
    // No IANA name, and not defined in the calendar: try Windows names, then the default zone.
    return own.get(tzid) ?? WINDOWS_ZONES.get(tzid) ?? floating;
  };
  return {
    at(time, tzid) {
      if (time.isDate) return inZone(time, timeZone);
      if (time.zone === ICAL.Timezone.utcTimezone) return inZone(time, 'UTC');
      const zone = zoneOf(tzid);
      if (typeof zone === 'string') return inZone(time, zone);
      return inZone(time, 'UTC') - zone.utcOffset(time) * 1_000;
    },
    wall(utc, tzid) {
      const zone = zoneOf(tzid);
      const local =
        typeof zone === 'string'
          ? Temporal.Instant.fromEpochMilliseconds(inZone(utc, 'UTC')).toZonedDateTimeISO(zone)
          : utc.convertToZone(zone);
      const { year, month, day, hour, minute, second } = local;
      return { year, month, day, hour, minute, second };
    },
  };
}

/** A time that the clocks skip moves forward by the skipped time. */
function inZone({ year, month, day, hour, minute, second }: Wall, timeZone: string): number {
  const wall = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
  return wall.toZonedDateTime(timeZone).epochMilliseconds;
}

const zones = new Map<string, boolean>();

function isZone(name: string): boolean {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const found = canBeZone(name);
  zones.set(name, found);
  return found;
}

function canBeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    Temporal.PlainDateTime.from('2026-01-01').toZonedDateTime(name);
    return true;
  } catch {
    return false;
  }
}
