import { t } from '../language/t.ts';
import { cityOf, formatsIn, viewerZoneName } from './time-formats.ts';

/** The city of the zone in which the viewer reads times. */
export const zoneName = () => cityOf(viewerZoneName());

/** `05:36`, or `5:36 am` for people who chose a clock of 12 hours. */
export const clockTime = (at: string | Date) => formatsIn().clock(new Date(at));
/** `05:36:02.114`, for evidence. */
export const exactTime = (at: string) => formatsIn().exact(new Date(at));
/** `Friday 20 November, 05:41` */
export const longTime = (at: Date) =>
  t('{day}, {time}', { day: formatsIn().longDay(at), time: formatsIn().clock(at) });
/** Date, time and zone in full. */
export const fullTime = (at: string) => formatsIn().full(new Date(at));
/** `2026-11-23`, the viewer's day of a time. */
export const dateOf = (at: string | Date) => formatsIn().date(new Date(at));

/** `09:00`, a time of day of no zone, such as the end of a night, as the viewer reads it. */
export function timeOfDay(time: string): string {
  const shown = formatsIn('UTC').clock(Date.parse(`1970-01-01T${time === '24:00' ? '00:00' : time}Z`));
  return time === '24:00' && shown === '00:00' ? time : shown;
}
/** `09` or `9 am` */
export const hourOfDay = (hour: number) => formatsIn('UTC').hour(hour * 3_600_000);

/** A text of the service, which writes each time as `09:00`, with times as the viewer reads them; instants of ISO 8601 stay. */
export const inClock = (text: string) =>
  text.replace(/(?<![\d:.+T-])(?:[01]\d|2[0-4]):[0-5]\d(?![\d:])/g, timeOfDay);

/**
 * A text of the service, which writes dates as `2026-11-23` and instants as in ISO 8601, with both as the viewer reads
 * them. What is in quotes was typed, and an instant in parentheses explains the time before it; both stay.
 */
export const inLocale = (text: string) =>
  text
    .replace(/(?<![\w"(-])\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, yearTime)
    .replace(/(?<![\w"-])\d{4}-\d{2}-\d{2}(?![\w"-])/g, (date) => {
      const at = Date.parse(date);
      return Number.isNaN(at) ? date : formatsIn('UTC').shortDayAndYear(at);
    });

/** `Mon 23 Nov 2026 09:00` */
const yearTime = (at: string) => `${formatsIn().dayAndYear(new Date(at))} ${clockTime(at)}`;

/** `Mon 23 Nov 09:00` */
export const dayTime = (at: string) => `${formatsIn().day(new Date(at))} ${clockTime(at)}`;

const DAY_MS = 86_400_000;

/** `today 15:00`, `Mon 09:00`, `Mon 23 Nov 09:00`: as much of the date as is needed. */
export function shortTime(at: string, now: Date): string {
  const time = new Date(at);
  const [date, today] = [dateOf(time), dateOf(now)];
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  if (days === 0) return t('today {time}', { time: clockTime(at) });
  if (days === 1) return t('tomorrow {time}', { time: clockTime(at) });
  if (days > 1 && days < 7)
    return t('{weekday} {time}', { weekday: formatsIn().weekday(time), time: clockTime(at) });
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return `${isThisYear ? formatsIn().day(time) : formatsIn().dayAndYear(time)} ${clockTime(at)}`;
}

/** `today 10:00 – 12:00`, `today 23:00 – tomorrow 01:00`: the day of the end only if it is another one. */
export function shortRange(from: string, to: string, now: Date): string {
  const sameDay = dateOf(from) === dateOf(to);
  return `${shortTime(from, now)} – ${sameDay ? clockTime(to) : shortTime(to, now)}`;
}

/** `12 m`, `3 h`, `5 d`: a duration in its largest unit. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return t('{s} s', { s: seconds });
  if (seconds < 3_600) return t('{m} m', { m: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t('{h} h', { h: Math.floor(seconds / 3_600) });
  return t('{d} d', { d: Math.floor(seconds / 86_400) });
}

/** `3:12`, or `now` once it is due. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds <= 0) return t('now');
  if (seconds >= 3_600) return duration(ms);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
