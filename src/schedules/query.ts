import type { Detail } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { unknownFieldWarnings } from '../kit/validation.ts';
import { MAX_RANGE_DAYS, type OncallQuery } from './contract.ts';

type Fields = Record<string, unknown>;

/**
 * Merges the parameters of a request's query and body (JSON or form); the query wins. Null means absent, digits become
 * numbers where the schema wants a number, and `time_range[start]` becomes `start` within `time_range`. The schema
 * validates the rest.
 */
export function parametersOf(query: unknown, body: unknown): Fields {
  const given: Fields = { ...readSource(body), ...readSource(query) };
  const ranges = [body, query].map(readRange);
  const wrong = ranges.find((range) => range !== undefined && !isFields(range));
  const range = wrong ?? Object.assign({}, ...ranges);
  return wrong !== undefined || Object.keys(range).length > 0 ? { ...given, time_range: range } : given;
}

/** Flat names of a range's ends in a query or a form. The short ones are read only if the others are missing. */
const FLAT_RANGE = ['time_range[start]', 'time_range[end]', 'start', 'end'];

/** Warnings about parameters that the route does not know. `known`: the names of its parameters. */
export function parameterWarnings(query: unknown, body: unknown, known: readonly string[]): string[] {
  const names = known.includes('time_range') ? [...known, ...FLAT_RANGE] : known;
  return [query, body].flatMap((source) => {
    if (!isFields(source)) return [];
    const { time_range } = source;
    const inner = names.includes('time_range') && isFields(time_range) ? Object.keys(time_range) : [];
    const unknown = inner.filter((name) => name !== 'start' && name !== 'end');
    return unknownFieldWarnings(
      { ...source, ...Object.fromEntries(unknown.map((name) => [`time_range.${name}`, null])) },
      names,
    );
  });
}

/** Rejects a range without a readable end, which would otherwise count as a missing range, meaning now. */
export function unreadableRange(query: unknown, body: unknown): Detail[] {
  const isAttempt = (source: unknown): boolean =>
    isFields(source) &&
    Object.entries(source).some(
      ([name, value]) =>
        (/^time_?ranges?[.[]/i.test(name) && !FLAT_RANGE.includes(name)) ||
        (name === 'time_range' && isFields(value) && Object.keys(value).some((key) => !ENDS.includes(key))),
    );
  const given = parametersOf(query, body).time_range;
  if (given !== undefined || ![query, body].some(isAttempt)) return [];
  const message =
    'has neither a start nor an end; send time_range[start] and time_range[end], or no time_range for now';
  return [{ field: 'time_range', message }];
}

const ENDS = ['start', 'end'];

function readSource(source: unknown): Fields {
  if (!isFields(source)) return {};
  return withoutNulls({
    name_eq: source.name_eq,
    page: toNumber(source.page),
    per_page: toNumber(source.per_page),
  });
}

function readRange(source: unknown): unknown {
  if (!isFields(source)) return undefined;
  const { time_range } = source;
  if (time_range !== undefined && time_range !== null && !isFields(time_range)) return time_range;
  return withoutNulls({
    ...withoutNulls({ start: withPlus(source.start), end: withPlus(source.end) }),
    ...(isFields(time_range) ? withoutNulls({ start: time_range.start, end: time_range.end }) : {}),
    ...withoutNulls({
      start: withPlus(source['time_range[start]']),
      end: withPlus(source['time_range[end]']),
    }),
  });
}

/** In a query or a form, a bare `+` decodes to a blank, which breaks offsets: `2026-11-20T09:00:00 01:00`. */
function withPlus(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(/^(\S+[T ]\S+) (\d\d(?::?\d\d)?)$/i, '$1+$2') : time;
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A body, if sent, must be an object: lists and bare texts cannot contain parameters. */
export function bodyProblems(body: unknown): Detail[] {
  if (body === undefined || body === null || isFields(body)) return [];
  return [{ field: 'body', message: 'is not an object; send a JSON object, a form, or no body at all' }];
}

/** Checks what the schema cannot: both ends or none, in order, not too far apart. */
export function rangeProblems(range: unknown): Detail[] {
  if (!isFields(range)) return [];
  const { start, end } = range;
  if (start === undefined && end === undefined) return [];
  const missing = start === undefined ? 'start' : end === undefined ? 'end' : null;
  if (missing)
    return [
      {
        field: `time_range.${missing}`,
        message: 'is missing; give both ends of the range, or neither for now',
      },
    ];
  const [from, to] = [start, end].map((text) => (typeof text === 'string' ? parseInstant(text) : null));
  if (!from || !to) return [];
  if (Temporal.Instant.compare(to, from) < 0)
    return [{ field: 'time_range.end', message: 'is before time_range.start; give a later time' }];
  if (Temporal.Instant.compare(to, from.add({ hours: MAX_RANGE_DAYS * 24 })) > 0)
    return [{ field: 'time_range', message: `is longer than ${MAX_RANGE_DAYS} days; give a shorter range` }];
  return [];
}

/** The range of a query without problems; null for now. */
export function rangeOf(query: OncallQuery): { start: Temporal.Instant; end: Temporal.Instant } | null {
  const { start, end } = query.time_range ?? {};
  if (start === undefined || end === undefined) return null;
  const [from, to] = [start, end].map((text) =>
    notTooEarly(Temporal.Instant.from(parseInstant(text) ?? text)),
  );
  return from && to ? { start: from, end: to } : null;
}

/** Cuts a time to 1970: nobody was on call before, and PostgreSQL does not support every earlier year. */
function notTooEarly(at: Temporal.Instant): Temporal.Instant {
  return at.epochMilliseconds < 0 ? Temporal.Instant.fromEpochMilliseconds(0) : at;
}
