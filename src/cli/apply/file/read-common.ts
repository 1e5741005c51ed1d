import { INSTANT_HINT, parseInstant } from '../../../kit/instant.ts';
import { FORMATS } from '../../../kit/validation.ts';
import { EMAIL_HINT, isEmail } from '../../../people/email.ts';
import type { Placed } from './place.ts';
import type { Fields, Value } from './value.ts';

/** An email address with its place. Undefined, and a problem, when it is none. */
export function readEmail(value: Value | undefined): Placed<string> | undefined {
  const text = value?.text({ max: 320 })?.trim();
  if (value === undefined || text === undefined) return undefined;
  if (!isEmail(text)) return value.problem(`is ${JSON.stringify(text)}; give ${EMAIL_HINT}`);
  return value.placed(text);
}

/** A list of email addresses, each person once. */
export function readPeople(value: Value | undefined): Placed<string>[] | undefined {
  const people = value?.list()?.flatMap((item) => readEmail(item) ?? []);
  if (!people) return undefined;
  const seen = new Set<string>();
  for (const person of people) {
    const name = person.value.toLowerCase();
    if (seen.has(name))
      value?.problemBelow(person.path.slice(value.path.length), `names ${person.value} twice`);
    seen.add(name);
  }
  return people;
}

export function readTimeZone(value: Value | undefined): string | undefined {
  const text = value?.text();
  if (text === undefined || FORMATS['time-zone']?.(text)) return text;
  return value?.problem(`is ${JSON.stringify(text)}; give an IANA time zone such as Europe/Berlin`);
}

function readInstant(value: Value | undefined): Temporal.Instant | undefined {
  const text = value?.text();
  if (value === undefined || text === undefined) return undefined;
  return parseInstant(text) ?? value.problem(`is ${JSON.stringify(text)}; give ${INSTANT_HINT}`);
}

/** `start` and `end`, both required, the end after the start. */
export function readTimeRange(
  fields: Fields<'start' | 'end'>,
): { startsAt: Temporal.Instant; endsAt: Temporal.Instant } | undefined {
  const startsAt = readInstant(fields.require('start', INSTANT_HINT));
  const end = fields.require('end', INSTANT_HINT);
  const endsAt = readInstant(end);
  if (!startsAt || !endsAt) return undefined;
  if (Temporal.Instant.compare(startsAt, endsAt) < 0) return { startsAt, endsAt };
  return end?.problem('is not after start; give a later time');
}

/** Problems for entries that say again what an earlier one has said. */
export function refuseDoubles<T>(
  entries: readonly T[],
  key: (entry: T) => string,
  place: (entry: T) => Placed<unknown>,
  report: (second: Placed<unknown>, message: string) => void,
): void {
  const first = new Map<string, Placed<unknown>>();
  for (const entry of entries) {
    const known = first.get(key(entry));
    if (known) report(place(entry), `appears twice; it is already in line ${known.place.line}`);
    else first.set(key(entry), place(entry));
  }
}
