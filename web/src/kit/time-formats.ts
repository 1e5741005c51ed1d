import { locale } from '../../../src/language/contract.ts';
import type { ClockChoice } from '../../../src/people/person-contract.ts';
import { t } from '../language/t.ts';

/** How times are shown: the zone of the viewer, and their clock. Everything that formats a time asks here. */
export type TimePreference = { zone: string; clock: ClockChoice };

/** Null: as on the device, whose zone takes a slow phone some hundredths of a second to find. */
let chosen: TimePreference | null = null;

function preferred(): TimePreference {
  chosen ??= { zone: deviceZone(), clock: 'device' };
  return chosen;
}

/** The zone of the device, as an IANA name. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Takes over what a person chose; null: nobody is signed in, so times follow the device. */
export function preferTimes(preference: TimePreference | null): void {
  chosen = preference;
  known.clear();
}

/** The zone in which the viewer reads times. */
export function viewerZoneName(): string {
  return preferred().zone;
}

/** The city of a zone: `Europe/Berlin` is Berlin. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Times in one zone, as the viewer reads them. Instants are epoch milliseconds or dates. */
export type TimeFormats = {
  /** `05:36` or `5:36 am` */
  clock(at: number | Date): string;
  /** `05` or `5 am` */
  hour(at: number | Date): string;
  /** `05:36:02.114`, for evidence */
  exact(at: number | Date): string;
  /** `Mon` */
  weekday(at: number | Date): string;
  /** `Mon 23 Nov` or `Mon Nov 23` */
  day(at: number | Date): string;
  /** `Mon 23` or `23 Mon` */
  weekdayAndDay(at: number | Date): string;
  /** `23 Nov` or `Nov 23` */
  shortDay(at: number | Date): string;
  /** `23/11` or `11/23`, where a name has no room */
  shortestDay(at: number | Date): string;
  /** `Mon 23 Nov 2026` */
  dayAndYear(at: number | Date): string;
  /** `23 Nov 2026` */
  shortDayAndYear(at: number | Date): string;
  /** `November 2026` */
  month(at: number | Date): string;
  /** `Friday 20 November` */
  longDay(at: number | Date): string;
  /** `2–27 Nov 2026`, the days of a time that ends within the day of `last`. */
  days(first: number | Date, last: number | Date): string;
  /** Date, time and zone in full. */
  full(at: number | Date): string;
  /** `2026-11-23` */
  date(at: number | Date): string;
};

const known = new Map<string, TimeFormats>();

/** The formats of a zone, by default of that of the viewer. */
export function formatsIn(zone: string = preferred().zone): TimeFormats {
  const made = known.get(zone) ?? makeFormats(zone);
  known.set(zone, made);
  return made;
}

/**
 * Names of days are in the language of the dashboard, in the order of the viewer's own region: `Nov 23` for people in the
 * United States. English without a region gets the order of Britain.
 */
export function localeOf(languages: readonly string[] = navigator.languages): string {
  const language = locale();
  const base = language.split('-')[0];
  const own = languages.find((one) => one.toLowerCase().split('-')[0] === base);
  return own ?? (base === 'en' ? 'en-GB' : language);
}

function hoursOf(clock: ClockChoice): Intl.DateTimeFormatOptions {
  const twelve =
    clock === 'device'
      ? new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions().hour12 === true
      : clock === '12';
  // `hour12: false` shows midnight as 24:00 in some languages.
  return twelve ? { hour: 'numeric', hour12: true } : { hour: '2-digit', hourCycle: 'h23' };
}

function makeFormats(zone: string): TimeFormats {
  const own = localeOf();
  const hours = hoursOf(preferred().clock);
  // A view needs a few of the formats, and each takes some tenths of a millisecond to make.
  const lazy = (options: Intl.DateTimeFormatOptions, of = own) => {
    let made: Intl.DateTimeFormat | undefined;
    return () => {
      made ??= new Intl.DateTimeFormat(of, { timeZone: zone, ...options });
      return made;
    };
  };
  const format = (options: Intl.DateTimeFormatOptions, of = own) => {
    const made = lazy(options, of);
    return (at: number | Date) => made().format(at);
  };
  const plain = (text: string) => text.replaceAll(',', '');
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const dayAndYear = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const shortDayAndYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
  const dayOfYear = lazy({ day: 'numeric', month: 'short', year: 'numeric' });
  const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
  const fullDay = format({ dateStyle: 'full' });
  const fullTime = format({ ...hours, minute: '2-digit', second: '2-digit', timeZoneName: 'short' });
  return {
    clock: format({ ...hours, minute: '2-digit' }),
    hour: format(hours),
    exact: format({ ...hours, minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }),
    weekday: format({ weekday: 'short' }),
    day: (at) => plain(day(at)),
    weekdayAndDay: format({ weekday: 'short', day: 'numeric' }),
    shortDay: format({ day: 'numeric', month: 'short' }),
    shortestDay: format({ day: 'numeric', month: 'numeric' }),
    dayAndYear: (at) => plain(dayAndYear(at)),
    shortDayAndYear: (at) => plain(shortDayAndYear(at)),
    month: format({ month: 'long', year: 'numeric' }),
    // English has no comma here; other languages need theirs.
    longDay: (at) => (own.startsWith('en') ? plain(longDay(at)) : longDay(at)),
    full: (at) => t('{day} at {time}', { day: fullDay(at), time: fullTime(at) }),
    days: (first, last) => dayOfYear().formatRange(first, last),
    // Sweden writes dates as ISO 8601 does.
    date: format({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE'),
  };
}
