const LOCALE = 'en-GB';
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The city of the zone: `Europe/Berlin` is Berlin. */
export const zoneName = (ZONE.split('/').at(-1) ?? ZONE).replaceAll('_', ' ');

const formats = {
  clock: new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' }),
  seconds: new Intl.DateTimeFormat(LOCALE, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }),
  long: new Intl.DateTimeFormat(LOCALE, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }),
  day: new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' }),
  weekday: new Intl.DateTimeFormat(LOCALE, { weekday: 'short' }),
  full: new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' }),
};

/** `05:36` */
export const clockTime = (at: string | Date) => formats.clock.format(new Date(at));
/** `05:36:02.114`, for evidence. */
export const exactTime = (at: string) => formats.seconds.format(new Date(at));
/** `Friday 20 November, 05:41` */
export const longTime = (at: Date) => formats.long.format(at).replace(' at ', ', ');
/** Date, time and zone in full. */
export const fullTime = (at: string) => formats.full.format(new Date(at));

/** `today 15:00`, `Mon 09:00`, `Mon 23 Nov 09:00`: as much of the date as is needed. */
export function shortTime(at: string, now: Date): string {
  const time = new Date(at);
  const days = Math.round((startOfDay(time) - startOfDay(now)) / 86_400_000);
  if (days === 0) return `today ${clockTime(at)}`;
  if (days === 1) return `tomorrow ${clockTime(at)}`;
  if (days > 1 && days < 7) return `${formats.weekday.format(time)} ${clockTime(at)}`;
  const year = time.getFullYear() === now.getFullYear() ? '' : ` ${time.getFullYear()}`;
  return `${formats.day.format(time).replace(',', '')}${year} ${clockTime(at)}`;
}

/** `today 10:00 – 12:00`, `today 23:00 – tomorrow 01:00`: the day of the end only if it is another one. */
export function shortRange(from: string, to: string, now: Date): string {
  const sameDay = startOfDay(new Date(from)) === startOfDay(new Date(to));
  return `${shortTime(from, now)} – ${sameDay ? clockTime(to) : shortTime(to, now)}`;
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

/** `12 m`, `3 h`, `5 d`: a duration in its largest unit. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `3:12`, or `now` once it is due. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds <= 0) return 'now';
  if (seconds >= 3_600) return duration(ms);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
