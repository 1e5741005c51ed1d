import { repeatWords, WORKDAYS, weeklyOn } from '../../../src/calendars/repeat-words-contract.ts';
import { commas, t } from '../language/t.ts';
import { capital } from './detail.ts';
import { type Zone, zoneOf } from './zones.ts';

const DAILY = 'FREQ=DAILY';

/** What a form offers: on the weekday of the first time, or on other days; `other` is a rule that somebody typed. */
export const REPEAT_CHOICES = ['once', 'daily', 'weekly', 'fortnightly', 'workdays', 'other'] as const;
export type RepeatChoice = (typeof REPEAT_CHOICES)[number];

/** The rule of a choice; null: once, or nothing was typed. `weekday`: of the first time, 1 for Monday to 7 for Sunday. */
export function ruleOf(choice: RepeatChoice, weekday: number, typed: string): string | null {
  if (choice === 'once') return null;
  if (choice === 'other') return typed.trim() || null;
  if (choice === 'daily') return DAILY;
  if (choice === 'workdays') return WORKDAYS;
  return weeklyOn(weekday, choice === 'fortnightly' ? 2 : 1);
}

/** The choice that makes this rule. */
export function choiceOf(rrule: string | null, weekday: number): RepeatChoice {
  return REPEAT_CHOICES.find((choice) => ruleOf(choice, weekday, '') === rrule) ?? 'other';
}

/** How something repeats: times of the first one, and the time before which the last one begins. */
export type Repeating = { rrule: string; starts_at: string; ends_at: string; until: string | null };

const DAY_MS = 86_400_000;

/** `Every Tuesday, 18:00 – 22:00, until 24 Dec`, in the zone in which it repeats. */
export function repeatSentence(
  { rrule, starts_at, ends_at, until }: Repeating,
  zone: Zone,
  now: number,
): string {
  const [from, to] = [Date.parse(starts_at), Date.parse(ends_at)];
  return commas([capital(repeatWords(rrule)), lengthWords(from, to, zone), ...lastWords(until, zone, now)]);
}

/** The same of a record that may repeat, with the city if it repeats in another zone than the reader's; null if it does not. */
export function repeatedWords(
  repeats: (Repeating & { zone: string }) | null,
  reader: Zone,
  now: number,
): string | null {
  if (!repeats) return null;
  const zone = zoneOf(repeats.zone);
  const where = zone.name === reader.name ? '' : ` (${zone.city})`;
  return `${repeatSentence(repeats, zone, now)}${where}`;
}

function lengthWords(from: number, to: number, zone: Zone): string {
  const days = Math.round((to - from) / DAY_MS);
  const whole = zone.startOfDay(from) === from && zone.startOfDay(to) === to;
  if (whole) return days === 1 ? t('all day') : t('for {count} days', { count: days });
  const times = `${zone.clock(from)} – ${zone.clock(to)}`;
  const nights = zone.addDays(from, 1) < to ? Math.floor((to - from) / DAY_MS) : 0;
  if (nights === 0) return times;
  return t('{count, plural, =1 {{times}, a day later} other {{times}, # days later}}', {
    times,
    count: nights,
  });
}

function lastWords(until: string | null, zone: Zone, now: number): string[] {
  if (until === null) return [];
  const last = Date.parse(until) - 1;
  const isThisYear = zone.date(last).slice(0, 4) === zone.date(now).slice(0, 4);
  return [t('until {day}', { day: isThisYear ? zone.shortDay(last) : zone.shortDayAndYear(last) })];
}
