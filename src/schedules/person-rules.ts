import type { Static } from 'typebox';
import type { Detail } from '../kit/fault.ts';
import { listed, t, tIn } from '../language/contract.ts';
import { type Hours, readHours } from './hours.ts';
import type { Limits } from './limits.ts';
import { LIMIT_FIELDS, type LimitsBody, type LimitsShown } from './limits-contract.ts';
import { ownLimitsText } from './limits-text.ts';
import { hoursText } from './pattern-words.ts';
import { neverAfter, presentNever } from './person-times.ts';
import type { PersonRules, PlanRules } from './rules.ts';
import type { ScheduleBody, ScheduleSettings } from './settings-contract.ts';

type PersonBody = NonNullable<ScheduleBody['people']>[number];
type PersonShown = ScheduleSettings['people'][number];

const LIMITS = Object.keys(LIMIT_FIELDS) as (keyof Limits)[];

/** Only the limits in the body. */
export function readLimits(body: Static<typeof LimitsBody> = {}): Limits {
  return Object.fromEntries(
    LIMITS.flatMap((name): [keyof Limits, number | null][] => {
      const most = body[LIMIT_FIELDS[name]];
      return most === undefined ? [] : [[name, most]];
    }),
  );
}

export function presentLimits(limits: Limits): Static<typeof LimitsShown> {
  const field = (name: keyof Limits) => limits[name] ?? null;
  return {
    shifts_per_week: field('shiftsPerWeek'),
    shifts_per_month: field('shiftsPerMonth'),
    hours_per_week: field('hoursPerWeek'),
    average_hours_per_week: field('averageHoursPerWeek'),
    average_weeks: field('averageWeeks'),
    weekly_rest_hours: field('weeklyRestHours'),
    weekends_per_month: field('weekendsPerMonth'),
    weekends_in_a_row: field('weekendsInARow'),
    nights_in_a_row: field('nightsInARow'),
    shifts_in_a_row: field('shiftsInARow'),
  };
}

/** Problems with the entries of people, apart from the people themselves. Field names have the form `people[0].until`. */
export function peopleProblems(people: readonly PersonBody[] = []): Detail[] {
  return people.flatMap((body, index) => {
    const problems: Detail[] = [];
    readNever(body, problems);
    const { from, until } = body;
    if (from && until && until < from)
      problems.push({
        field: 'until',
        message: t('is {until}, which is before from, {from}; give the last day, or leave it out', {
          until,
          from,
        }),
      });
    return problems.map(({ field, message }) => ({ field: `people[${index}].${field}`, message }));
  });
}

/** An empty list means no times. */
function readNever({ never }: PersonBody, problems: Detail[]): Hours[] {
  if (never === undefined || never === null || (Array.isArray(never) && never.length === 0)) return [];
  return readHours(never, problems, 'never') ?? [];
}

/**
 * The settings of single people by user id, after a change at an instant. `peopleProblems` found nothing. People
 * without special settings are left out.
 */
export function peopleAfter(
  before: PlanRules['people'] = {},
  people: readonly PersonBody[],
  at: number,
): NonNullable<PlanRules['people']> {
  const wanted = new Map(people.map((body) => [body.person, body]));
  const ids = [...new Set([...Object.keys(before), ...wanted.keys()])].sort();
  return Object.fromEntries(
    ids.flatMap((userId): [string, PersonRules][] => {
      const body = wanted.get(userId) ?? { person: userId };
      const limits = readLimits(body.limits);
      const never = neverAfter(before[userId]?.never ?? [], readNever(body, []), at);
      const rules: PersonRules = {
        ...(body.level ? { level: body.level } : {}),
        ...(Object.keys(limits).length > 0 ? { limits } : {}),
        ...(never.length > 0 ? { never } : {}),
        ...(body.from ? { from: body.from } : {}),
        ...(body.until ? { until: body.until } : {}),
      };
      return Object.keys(rules).length > 0 ? [[userId, rules]] : [];
    }),
  );
}

/** People with special settings only in the past are left out. */
export function presentPeople(people: PlanRules['people'] = {}): PersonShown[] {
  return Object.entries(people).flatMap(([person, rules]): PersonShown[] => {
    const { level, limits = {}, from, until } = rules;
    const never = presentNever(rules);
    const shown = {
      ...(level === undefined ? {} : { level }),
      ...(Object.keys(limits).length > 0 ? { limits: namedLimits(limits) } : {}),
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
    };
    return Object.keys(shown).length + never.length > 0 ? [{ person, ...shown, never }] : [];
  });
}

/** The special settings of a person, one after the other; empty if there are none. */
export function personText(rules: PersonRules): string {
  const never = presentNever(rules);
  const texts = [
    ...(rules.level === undefined ? [] : [tIn('a person of a schedule', 'junior')]),
    ...ownLimitsText(rules.limits ?? {}),
    ...(never.length > 0
      ? [tIn('a person of a schedule', 'never {hours}', { hours: hoursText(never) })]
      : []),
    ...(rules.from === undefined ? [] : [tIn('a person of a schedule', 'from {day}', { day: rules.from })]),
    ...(rules.until === undefined
      ? []
      : [tIn('a person of a schedule', 'until {day}', { day: rules.until })]),
  ];
  return texts.length === 0 ? '' : listed(texts);
}

function namedLimits(limits: Limits): Static<typeof LimitsBody> {
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const most = limits[name];
      return most === undefined ? [] : [[LIMIT_FIELDS[name], most]];
    }),
  );
}
