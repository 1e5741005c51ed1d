import './temporal.ts';
import { daysOf, type ZoneDays } from '../../../src/kit/zone-days-contract.ts';
import { cityOf, formatsIn, viewerZoneName } from './time-formats.ts';

/** Times in one zone. Instants are epoch milliseconds; days follow the zone's calendar across clock changes. */
export type Zone = ZoneDays & {
  /** IANA name. */
  name: string;
  /** The city: `Europe/Berlin` is Berlin. */
  city: string;
  /** The first instant of the month that contains `at`. */
  startOfMonth(at: number): number;
  /** The first instant of the day so many days later, where a clock change may skip midnight. */
  dayAfter(at: number, days: number): number;
  /** This hour of the day that contains `at`; null on a day whose clocks skip it. The first one where they show it twice. */
  hourOf(at: number, hour: number): number | null;
  /** The nearest local time that is a multiple of so many minutes, at most an hour. */
  rounded(at: number, minutes: number): number;
  /** The same local time so many months later. */
  addMonths(at: number, months: number): number;
  /** 1 for Monday to 7 for Sunday. */
  weekday(at: number): number;
  /** `2026-11-23` */
  date(at: number): string;
  /** Midnight of such a date; null for anything else. */
  ofDate(text: string | undefined): number | null;
  /** `2026-11-23T09:00`, the format of `datetime-local` inputs. */
  toInput(at: number): string;
  /** Null when it is not a valid time. */
  fromInput(text: string): number | null;
  /** `09:00` */
  clock(at: number): string;
  /** `Mon 23 Nov` */
  day(at: number): string;
  /** `Mon 23` */
  weekdayAndDay(at: number): string;
  /** `23 Nov` */
  shortDay(at: number): string;
  /** `23/11` */
  shortestDay(at: number): string;
  /** `23 Nov 2026` */
  shortDayAndYear(at: number): string;
  /** `2–27 Nov 2026` */
  days(first: number, last: number): string;
  /** `November 2026` */
  month(at: number): string;
  /** `Mon 23 Nov 09:00`; with the year when it differs from that of `now`. */
  moment(at: number, now: number): string;
};

const zones = new Map<string, Zone>();

/** The zone in which the viewer reads times. */
export function viewerZone(): Zone {
  return zoneOf(viewerZoneName());
}

export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const made = makeZone(name);
  zones.set(name, made);
  return made;
}

function makeZone(name: string): Zone {
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name);
  return {
    name,
    city: cityOf(name),
    ...daysOf(name),
    startOfMonth: (at) => zoned(at).with({ day: 1 }).startOfDay().epochMilliseconds,
    dayAfter: (at, days) => zoned(at).add({ days }).startOfDay().epochMilliseconds,
    hourOf(at, hour) {
      const local = zoned(at).toPlainDate().toZonedDateTime({ timeZone: name, plainTime: { hour } });
      return local.hour === hour ? local.epochMilliseconds : null;
    },
    rounded: (at, minutes) =>
      zoned(at).round(
        minutes === 60 ? { smallestUnit: 'hour' } : { smallestUnit: 'minute', roundingIncrement: minutes },
      ).epochMilliseconds,
    addMonths: (at, months) => zoned(at).add({ months }).epochMilliseconds,
    weekday: (at) => zoned(at).dayOfWeek,
    date: (at) => zoned(at).toPlainDate().toString(),
    ofDate(text) {
      try {
        if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
        return Temporal.PlainDate.from(text).toZonedDateTime(name).epochMilliseconds;
      } catch {
        return null;
      }
    },
    toInput: (at) => zoned(at).toPlainDateTime().toString({ smallestUnit: 'minute' }),
    fromInput(text) {
      try {
        return Temporal.PlainDateTime.from(text).toZonedDateTime(name).epochMilliseconds;
      } catch {
        return null;
      }
    },
    clock: (at) => formatsIn(name).clock(at),
    day: (at) => formatsIn(name).day(at),
    weekdayAndDay: (at) => formatsIn(name).weekdayAndDay(at),
    shortDay: (at) => formatsIn(name).shortDay(at),
    shortestDay: (at) => formatsIn(name).shortestDay(at),
    shortDayAndYear: (at) => formatsIn(name).shortDayAndYear(at),
    days: (first, last) => formatsIn(name).days(first, last),
    month: (at) => formatsIn(name).month(at),
    moment(at, now) {
      const { day, dayAndYear, clock } = formatsIn(name);
      return `${zoned(at).year === zoned(now).year ? day(at) : dayAndYear(at)} ${clock(at)}`;
    },
  };
}
