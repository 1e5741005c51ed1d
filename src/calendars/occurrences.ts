import ICAL from 'ical.js';
import { oneLine } from '../kit/one-line.ts';
import { type LocalTimes, localTimes } from './local-times.ts';

/** One occurrence of an event. Times in epoch milliseconds, end exclusive. */
export type Occurrence = {
  /** Identifies an occurrence of an event, even after it is moved. */
  key: string;
  title: string;
  from: number;
  to: number;
  /** The local dates of an all-day event, the last one inclusive; null for other events. */
  days: { first: string; last: string } | null;
  /** Marked as free in the calendar. */
  isFree: boolean;
  isOutOfOffice: boolean;
};

export type CalendarQuestion = {
  text: string;
  /** Only occurrences that overlap this time, in epoch milliseconds. */
  from: number;
  to: number;
  /** The zone of all-day events, and of times without a zone. */
  timeZone: string;
  /** Return at most this many occurrences, the earliest ones. */
  most: number;
};

/** `truncated`: some occurrences were left out. `skipped`: the number of invalid events. */
export type CalendarAnswer = { occurrences: Occurrence[]; truncated: boolean; skipped: number };

/** The most steps that a recurrence is followed: more than a daily event needs for 50 years. */
const MOST_STEPS = 20_000;
const MOST_EVENTS = 50_000;

/**
 * The occurrences in an iCalendar file (RFC 5545). Hostile files can run forever: call this only through
 * `readCalendar`, which has a time limit.
 * @throws Error if it is not an iCalendar file
 */
export function occurrencesOf(question: CalendarQuestion): CalendarAnswer {
  const found: Occurrence[] = [];
  const { calendars, broken } = calendarsOf(question.text);
  let [truncated, skipped] = [false, broken];
  for (const calendar of calendars) {
    const times = localTimes(calendar, question.timeZone);
    const events = calendar.getAllSubcomponents('vevent');
    truncated ||= events.length > MOST_EVENTS;
    const byUid = Map.groupBy(events.slice(0, MOST_EVENTS), uidOf);
    for (const series of byUid.values())
      try {
        const read = occurrencesOfSeries(series, times, question);
        found.push(...read.occurrences);
        truncated ||= read.truncated;
      } catch {
        skipped += 1;
      }
  }
  found.sort((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  truncated ||= found.length > question.most;
  return { occurrences: found.slice(0, question.most), truncated, skipped };
}

type Parsed = ConstructorParameters<typeof ICAL.Component>[0];

function calendarsOf(text: string): { calendars: ICAL.Component[]; broken: number } {
  const { roots, broken } = parse(text);
  const calendars = roots.map((root) => new ICAL.Component(root)).filter(({ name }) => name === 'vcalendar');
  if (calendars.length === 0) throw new Error('the file contains no calendar');
  return { calendars, broken };
}

/** If an invalid event makes the library reject the whole file, parses each event alone and drops the invalid ones. */
function parse(text: string): { roots: Parsed[]; broken: number } {
  try {
    return { roots: rootsOf(text), broken: 0 };
  } catch (error) {
    const events = text.match(EVENT) ?? [];
    if (events.length === 0 || events.length > MOST_EVENTS) throw error;
    const good = events.filter((event) => canBeParsed(event));
    const kept = new Set(good);
    const roots = rootsOf(text.replace(EVENT, (event) => (kept.has(event) ? event : '')));
    return { roots, broken: events.length - good.length };
  }
}

const EVENT = /^BEGIN:VEVENT\b[\s\S]*?^END:VEVENT\b[^\n]*\n?/gim;

function canBeParsed(text: string): boolean {
  try {
    rootsOf(text);
    return true;
  } catch {
    return false;
  }
}

/** A file may contain several calendars in sequence. */
function rootsOf(text: string): Parsed[] {
  const parsed = ICAL.parse(text) as unknown[];
  return (typeof parsed[0] === 'string' ? [parsed] : parsed) as Parsed[];
}

/** Events without a UID are identified by their start and title. */
function uidOf(event: ICAL.Component): string {
  const uid = event.getFirstPropertyValue('uid');
  if (typeof uid === 'string' && uid !== '') return uid;
  return `${event.getFirstPropertyValue('dtstart')} ${event.getFirstPropertyValue('summary')}`;
}

type Series = { occurrences: Occurrence[]; truncated: boolean };

/** The occurrences of an event, with changes to single occurrences, and to one and all later ones. */
function occurrencesOfSeries(
  events: readonly ICAL.Component[],
  times: LocalTimes,
  question: CalendarQuestion,
): Series {
  const isChange = (event: ICAL.Component) => event.hasProperty('recurrence-id');
  const masters = events.filter((event) => !isChange(event));
  const changes = new Map(
    events.filter(isChange).map((event) => [timeOf(event, 'recurrence-id', times) ?? 0, event]),
  );
  const lasting = lastingChanges(changes, times);
  const occurrences: Occurrence[] = [];
  const add = (event: ICAL.Component, original: number, start: ICAL.Time) => {
    const one = occurrenceOf(event, original, start, times);
    if (one && one.from < question.to && one.to > question.from) occurrences.push(one);
  };
  let truncated = false;
  // Of several events with one UID, use the latest revision.
  const master = masters.toSorted((a, b) => sequenceOf(a) - sequenceOf(b)).at(-1);
  const to = lasting.reduce(
    (latest, { shift }) => Math.max(latest, question.to + earlierBy(shift)),
    question.to,
  );
  if (master)
    truncated = eachStart(master, times, to, (start, at) => {
      if (changes.has(at)) return;
      const change = lasting.find(({ since }) => since < at);
      if (!change) return add(master, at, start);
      const moved = clockOf(change.event, start, at, times);
      moved.addDuration(change.shift);
      add(change.event, at, moved);
    });
  for (const [original, event] of changes) add(event, original, startOf(event));
  return { occurrences, truncated };
}

/** A change to all occurrences after `since`, in epoch milliseconds. `shift`: by what clocks show. */
type LastingChange = { event: ICAL.Component; since: number; shift: ICAL.Duration };

/** The changes that also concern all later occurrences (RANGE=THISANDFUTURE), the latest one first. */
function lastingChanges(changes: ReadonlyMap<number, ICAL.Component>, times: LocalTimes): LastingChange[] {
  return [...changes]
    .flatMap(([since, event]) => {
      const property = event.getFirstProperty('recurrence-id');
      const original = property?.getFirstValue();
      const range = String(property?.getFirstParameter('range') ?? '').toUpperCase();
      if (range !== 'THISANDFUTURE' || !(original instanceof ICAL.Time)) return [];
      return [{ event, since, shift: startOf(event).subtractDate(clockOf(event, original, since, times)) }];
    })
    .toSorted((a, b) => b.since - a.since);
}

/** What the clocks in the zone of an event show at the time of an occurrence. Dates have no zone. */
function clockOf(event: ICAL.Component, original: ICAL.Time, at: number, times: LocalTimes): ICAL.Time {
  const start = startOf(event);
  if (start.isDate || original.isDate) {
    const { year, month, day } = original;
    return ICAL.Time.fromData({ year, month, day, isDate: start.isDate }, start.zone);
  }
  const utc = ICAL.Time.fromJSDate(new Date(at), true);
  if (start.zone === ICAL.Timezone.utcTimezone) return utc;
  return ICAL.Time.fromData(times.wall(utc, tzidOf(event, 'dtstart')), start.zone);
}

/** How much later an occurrence can be planned than it is after such a shift, in milliseconds, whatever the zones. */
function earlierBy(shift: ICAL.Duration): number {
  return Math.max(0, 86_400_000 - shift.toSeconds() * 1_000);
}

function sequenceOf(event: ICAL.Component): number {
  return Number(event.getFirstPropertyValue('sequence') ?? 0);
}

/** Calls `each` with every start of an event before `to`; returns true if there were too many steps. */
function eachStart(
  event: ICAL.Component,
  times: LocalTimes,
  to: number,
  each: (start: ICAL.Time, at: number) => void,
): boolean {
  const start = startOf(event);
  const tzid = tzidOf(event, 'dtstart');
  if (!event.hasProperty('rrule') && !event.hasProperty('rdate')) {
    each(start, times.at(start, tzid));
    return false;
  }
  const left = exceptionsOf(event, times);
  endInZone(event, start, times);
  const expansion = new ICAL.RecurExpansion({ component: event, dtstart: start });
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = expansion.next();
    if (!next) return false;
    const at = times.at(next, tzid);
    if (at >= to) return false;
    if (!left.has(at)) each(next, at);
  }
  return true;
}

/**
 * Moves the end of the rules (UNTIL), which is in UTC, to the zone of the start: the library compares what clocks show
 * unless the calendar defines that zone. A date includes its whole day, as in the older RFC 2445.
 */
function endInZone(event: ICAL.Component, start: ICAL.Time, times: LocalTimes): void {
  if (start.isDate) return;
  for (const property of event.getAllProperties('rrule')) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur) || !rule.until) continue;
    const { until } = rule;
    const isUtc = until.zone === ICAL.Timezone.utcTimezone;
    if (!until.isDate && (!isUtc || start.zone === until.zone)) continue;
    const { year, month, day } = until;
    const end = until.isDate
      ? { year, month, day, hour: 23, minute: 59, second: 59 }
      : times.wall(until, tzidOf(event, 'dtstart'));
    rule.until = ICAL.Time.fromData(end, start.zone);
  }
}

/** Excluded occurrences (EXDATE), in any zone. */
function exceptionsOf(event: ICAL.Component, times: LocalTimes): Set<number> {
  const properties = event.getAllProperties('exdate');
  return new Set(
    properties.flatMap((property) => {
      const tzid = property.getFirstParameter('tzid') ?? null;
      return property.getValues().map((value) => times.at(value as ICAL.Time, tzid));
    }),
  );
}

function occurrenceOf(
  event: ICAL.Component,
  original: number,
  start: ICAL.Time,
  times: LocalTimes,
): Occurrence | null {
  if (String(event.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED') return null;
  const from = times.at(start, tzidOf(event, 'dtstart'));
  const days = start.isDate ? lengthInDays(event) : null;
  const end = start.clone();
  if (days) end.addDuration(ICAL.Duration.fromData({ days }));
  const to = days ? times.at(end, null) : from + lengthInMs(event, times);
  if (to <= from) return null;
  end.addDuration(ICAL.Duration.fromSeconds(days ? -86_400 : 0));
  return {
    key: `${uidOf(event)} ${new Date(original).toISOString()}`.slice(-1_000),
    title: oneLine(String(event.getFirstPropertyValue('summary') ?? '').replaceAll('\0', '')).trim(),
    from,
    to,
    days: days ? { first: dateText(start), last: dateText(end) } : null,
    isFree: String(event.getFirstPropertyValue('transp') ?? '').toUpperCase() === 'TRANSPARENT',
    isOutOfOffice:
      String(event.getFirstPropertyValue('x-microsoft-cdo-busystatus') ?? '').toUpperCase() === 'OOF',
  };
}

function lengthInMs(event: ICAL.Component, times: LocalTimes): number {
  const from = times.at(startOf(event), tzidOf(event, 'dtstart'));
  const end = timeOf(event, 'dtend', times);
  if (end !== null) return end - from;
  const duration = event.getFirstPropertyValue('duration');
  return duration instanceof ICAL.Duration ? duration.toSeconds() * 1_000 : 0;
}

/** The number of days of an all-day event; one by default. */
function lengthInDays(event: ICAL.Component): number {
  const end = event.getFirstPropertyValue('dtend');
  if (end instanceof ICAL.Time) return Math.max(1, end.subtractDate(startOf(event)).toSeconds() / 86_400);
  const duration = event.getFirstPropertyValue('duration');
  return duration instanceof ICAL.Duration ? Math.max(1, Math.round(duration.toSeconds() / 86_400)) : 1;
}

function dateText({ year, month, day }: ICAL.Time): string {
  return Temporal.PlainDate.from({ year, month, day }).toString();
}

function startOf(event: ICAL.Component): ICAL.Time {
  const start = event.getFirstPropertyValue('dtstart');
  if (start instanceof ICAL.Time) return start;
  throw new Error('an event has no start');
}

function timeOf(event: ICAL.Component, name: string, times: LocalTimes): number | null {
  const time = event.getFirstPropertyValue(name);
  return time instanceof ICAL.Time ? times.at(time, tzidOf(event, name)) : null;
}

function tzidOf(event: ICAL.Component, name: string): string | null {
  return event.getFirstProperty(name)?.getFirstParameter('tzid') ?? null;
}
