import { type Detail, sentences } from '../kit/detail-contract.ts';
import { t } from '../language/contract.ts';
import { type Hours, readHours } from './hours.ts';
import {
  canonicalRule,
  comesRound,
  DEFAULT_ANCHOR,
  type Rhythm,
  readHandoff,
  readUnit,
  rhythmFrom,
} from './rhythm.ts';

/**
 * When shifts change hands, in the canonical form that the database stores. `starts_on` (a local date) is where
 * counting begins for shifts longer than a day or a week. With `hours`, people are on call only in these hours of the
 * week. Before `from` (a local date) nobody is on call. `changes` are patterns that replace this one from their dates
 * on, in order.
 */
export type Pattern = PatternVersion & { from?: string; changes?: (PatternVersion & { from: string })[] };
export type PatternVersion = ({ every: string } | { rrule: string }) & {
  handoff: string;
  starts_on?: string;
  hours?: Hours[];
};

/** A pattern or one of its changes; valid from its first hand-off on or after the local date, null for always. */
export type Version = { from: Temporal.PlainDate | null; rhythm: Rhythm; hours: readonly Hours[] | null };

const VERSION_KEYS = ['every', 'rrule', 'handoff', 'starts_on', 'hours', 'from'];
const KEYS = [...VERSION_KEYS, 'changes'];
const MOST_CHANGES = 20;
/**
 * Reads the `shifts` object of a schedule and lists every problem; `field` is the key within the object, or empty for
 * the object itself.
 */
export function parsePattern(value: unknown): { pattern: Pattern } | { problems: Detail[] } {
  const read = readPattern(value);
  return 'problems' in read ? read : { pattern: read.pattern };
}

/** Reads a pattern from the database that `parsePattern` once accepted. @throws Error if it cannot be read */
export function storedPattern(value: unknown): { pattern: Pattern; versions: Version[] } {
  const read = readPattern(value);
  if ('versions' in read) return read;
  throw new Error(`The stored shift pattern cannot be used: ${sentences(read.problems)}`);
}

type Read = { pattern: Pattern; versions: Version[] } | { problems: Detail[] };

function readPattern(value: unknown): Read {
  const problems: Detail[] = [];
  const first = readVersion(value, KEYS, problems);
  const given = isObject(value) ? value.changes : undefined;
  const changes = given === undefined ? [] : readChanges(given, first, problems);
  if (problems.length > 0 || !first || !changes) return { problems };
  const pattern = {
    ...first.pattern,
    ...(changes.length > 0 ? { changes: changes.map((change) => change.pattern) } : {}),
  };
  return { pattern, versions: [first, ...changes].map(({ version }) => version) };
}

type ReadVersion<P = PatternVersion & { from?: string }> = { pattern: P; version: Version };

function readChanges(
  value: unknown,
  first: ReadVersion | null,
  problems: Detail[],
): ReadVersion<PatternVersion & { from: string }>[] | null {
  if (!Array.isArray(value) || value.length > MOST_CHANGES) {
    const hint = '[{ from: "2027-01-04", every: day, handoff: "09:00" }]';
    problems.push({
      field: 'changes',
      message: t('must be a list of at most {most} patterns such as {hint}', { most: MOST_CHANGES, hint }),
    });
    return null;
  }
  let before = first?.pattern.from ?? '';
  const changes = value.map((item: unknown, index) => {
    const own: Detail[] = [];
    const read = readVersion(item, VERSION_KEYS, own);
    const from = isObject(item) ? item.from : undefined;
    if (from === undefined)
      own.push({ field: 'from', message: t('is missing; give the date of the change') });
    else if (typeof from === 'string' && from <= before)
      own.push({
        field: 'from',
        message: t('is {from}, which is not after {before}; put the changes in order', { from, before }),
      });
    if (typeof from === 'string') before = from;
    const prefix = `changes[${index}]`;
    problems.push(
      ...own.map(({ field, message }) => ({ field: field ? `${prefix}.${field}` : prefix, message })),
    );
    return read && typeof from === 'string' ? { ...read, pattern: { ...read.pattern, from } } : null;
  });
  return changes.filter((change) => change !== null);
}

/** Reads one rule with its hand-off, and adds any problems to `problems`. */
function readVersion(value: unknown, keys: readonly string[], problems: Detail[]): ReadVersion | null {
  if (!isObject(value)) {
    problems.push({
      field: '',
      message: t('must be an object such as {example}', {
        example: '{ every: week, handoff: "Monday 09:00" }',
      }),
    });
    return null;
  }
  const own: Detail[] = Object.keys(value)
    .filter((key) => !keys.includes(key))
    .map((key) => ({
      field: key,
      message: t('is not a known key; the keys are {keys}', { keys: keys.join(', ') }),
    }));
  const unit = readUnit(value, own);
  const hours = value.hours === undefined ? null : readHours(value.hours, own);
  const handoff = readHandoff(value.handoff, unit, hours?.[0]?.from, own);
  const from = readDate('from', value.from, own);
  const anchor = readDate('starts_on', value.starts_on, own) ?? from ?? DEFAULT_ANCHOR;
  const rhythm: Rhythm | null = unit && handoff ? rhythmFrom(unit, handoff, anchor) : null;
  if (rhythm && !comesRound(rhythm))
    own.push({ field: 'rrule', message: t('never occurs; check its BYDAY and BYMONTHDAY') });
  problems.push(...own);
  if (own.length > 0 || !unit || !handoff || !rhythm) return null;
  return {
    pattern: {
      ...canonicalRule(unit, handoff),
      ...(typeof value.starts_on === 'string' ? { starts_on: value.starts_on } : {}),
      ...(hours ? { hours } : {}),
      ...(from ? { from: from.toString() } : {}),
    },
    version: { from, rhythm, hours },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readDate(field: string, value: unknown, problems: Detail[]): Temporal.PlainDate | null {
  if (value === undefined) return null;
  try {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return Temporal.PlainDate.from(value);
  } catch {
    // An impossible date is reported like any other invalid text.
  }
  problems.push({
    field,
    message: t('is {value}; give a date such as "2026-11-02"', { value: JSON.stringify(value) }),
  });
  return null;
}
