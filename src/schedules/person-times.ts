/** When a person of a schedule is not planned: weekly times that they never take, and before they join or after they leave. */
import type { Interval } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import { type Hours, windowsOf } from './hours.ts';
import type { AvailabilityRecord } from './planner.ts';
import type { PersonRules, PlanRules } from './rules.ts';

/** Why a person is not planned at a time: they never take it, have not joined the rotation yet, or have left it. */
export type NotPlanned = 'never' | 'not_yet' | 'left';

/** A weekly time that a person never takes. */
export type NeverTime = Hours & {
  /**
   * The time for which this holds, in epoch milliseconds. Expectations of the person for earlier times do not change.
   */
  since: number;
  until?: number;
};

export function isNotPlanned(because: string): because is NotPlanned {
  return because === 'never' || because === 'not_yet' || because === 'left';
}

/** Why a person is not planned at a time. `name`: of that person. */
export function notPlannedText(name: string, why: NotPlanned): string {
  switch (why) {
    case 'never':
      return t('{name} never takes shifts at that time', { name });
    case 'not_yet':
      return t('{name} will not have joined the rotation by then', { name });
    case 'left':
      return t('{name} will have left the rotation by then', { name });
  }
}

/** The first and the last instant of `Temporal`. */
const ALWAYS: Interval = { from: -8.64e15, to: 8.64e15 };

/**
 * The times of each person, as absences with a reason, ascending. `range`: the range for which weekly times are listed.
 */
export function timesNotPlanned(
  people: PlanRules['people'],
  timeZone: string,
  range: Interval,
): Map<string, AvailabilityRecord[]> {
  return new Map(
    Object.entries(people ?? {}).flatMap(([userId, rules]): [string, AvailabilityRecord[]][] => {
      const records = recordsOf(rules, timeZone, range);
      return records.length === 0 ? [] : [[userId, records]];
    }),
  );
}

function recordsOf({ never = [], from, until }: PersonRules, timeZone: string, range: Interval) {
  const startOf = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime: '00:00' }).epochMilliseconds;
  const record = (span: Interval, why: NotPlanned): AvailabilityRecord => ({
    type: 'hard_unavailable',
    ...span,
    why,
  });
  const joins = from === undefined ? null : startOf(Temporal.PlainDate.from(from));
  const leaves = until === undefined ? null : startOf(Temporal.PlainDate.from(until).add({ days: 1 }));
  return [
    ...(joins === null ? [] : [record({ from: ALWAYS.from, to: joins }, 'not_yet')]),
    ...never.flatMap((one) => weekly(one, timeZone, range).map((span) => record(span, 'never'))),
    ...(leaves === null ? [] : [record({ from: leaves, to: ALWAYS.to }, 'left')]),
  ].sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Whole times, even if they begin before the range, because planning again must read the same. */
function weekly(
  { since, until = ALWAYS.to, ...hours }: NeverTime,
  timeZone: string,
  range: Interval,
): Interval[] {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = Math.max(range.from, since);
  const last = Math.min(range.to, until);
  if (first >= last) return [];
  return windowsOf([hours], timeZone, dayOf(first), dayOf(last)).filter(
    (span) => span.to > first && span.from < last,
  );
}

/** Availability together with the times at which people are not planned, sorted by start. */
export function withTimesNotPlanned(
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>,
  times: ReadonlyMap<string, readonly AvailabilityRecord[]>,
): Map<string, readonly AvailabilityRecord[]> {
  const merged = new Map(records);
  for (const [userId, own] of times)
    merged.set(
      userId,
      [...(records.get(userId) ?? []), ...own].sort((a, b) => a.from - b.from || a.to - b.to),
    );
  return merged;
}

/** Former times matter as long as the shifts that they affect, which is a year. */
const REMEMBERED_MS = 400 * 86_400_000;

/** The times after a change at an instant. Times that stay keep their beginning. */
export function neverAfter(before: readonly NeverTime[], wanted: readonly Hours[], at: number): NeverTime[] {
  const textOf = ({ days, from, to }: Hours) => `${days.join(' ')} ${from} ${to}`;
  const texts = new Set(wanted.map(textOf));
  const active = before.filter(({ until }) => until === undefined);
  const isNew = (hours: Hours) => !active.some((one) => textOf(one) === textOf(hours));
  const ended = before.map((one) =>
    one.until === undefined && !texts.has(textOf(one)) ? { ...one, until: at } : one,
  );
  const distinct = wanted.filter(
    (one, index) => wanted.findIndex((other) => textOf(other) === textOf(one)) === index,
  );
  return [
    ...ended.filter(
      ({ since, until }) => until === undefined || (until > since && until > at - REMEMBERED_MS),
    ),
    ...distinct.filter(isNew).map(({ days, from, to }) => ({ days, from, to, since: at })),
  ];
}

/** The times that a person never takes now. */
export function presentNever({ never = [] }: PersonRules): Hours[] {
  return never.filter(({ until }) => until === undefined).map(({ days, from, to }) => ({ days, from, to }));
}
