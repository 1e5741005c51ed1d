import { commas, t, tIn } from '../language/contract.ts';
import type { OnlyWith } from './companions.ts';
import type { Limits } from './limits.ts';
import { limitsText } from './limits-text.ts';
import type { NeverTime } from './person-times.ts';

/** Planning rules of a schedule beyond members, hand-offs and rest. */
export type PlanRules = {
  /** How many times as much as usual these count in equal shares; 0 means not at all. */
  weights: { night: number; weekend: number; holiday: number };
  /** What one person may have at most. */
  limits: Limits;
  /**
   * Whether simultaneous shifts in other schedules matter: `allow` ignores them, `avoid` avoids them where somebody
   * else can take the shift, `never` avoids them even if nobody is left.
   */
  elsewhere: 'allow' | 'avoid' | 'never';
  /**
   * Rest, limits and shares count shifts in other schedules of the organization; shares only those that end after this
   * instant (epoch milliseconds), when the rule began. Null: only shifts of this schedule count.
   */
  countElsewhereSince: number | null;
  /**
   * A person who is absent for less than a tenth of a shift, and for at most this many hours, still gets it, with a
   * cover for that time. With 0, a person who is absent for any part of a shift does not get it.
   */
  smallAbsenceHours: number;
  /** By user id: how large a share of the load is expected of a person. People without an entry have a whole share. */
  shares: Readonly<Record<string, readonly ShareStep[]>>;
  /** The settings of single people, by user id. */
  people?: Readonly<Record<string, PersonRules>>;
  /** At most one junior is on call at a time, in all stages and seats. */
  neverTwoJuniors?: boolean;
  /** Groups of user ids. At most one person of each group is on call at a time. */
  neverTogether?: readonly (readonly string[])[];
  /** User ids: who is on call only together with others. */
  onlyWith?: readonly OnlyWith[];
  /** Plans ignore them. */
  shadows?: readonly Shadow[];
};

/**
 * A person who is on call to learn, with one person or (null) with everybody of the schedule. They get quiet notices of
 * pages, are never paged as a shadow, and never count as cover. The days are in the zone of the schedule.
 */
export type Shadow = { userId: string; of: string | null; from?: string; until?: string };

/** The special settings of one person of a schedule. */
export type PersonRules = {
  /** A junior is still learning. */
  level?: 'junior';
  /** These replace the limits of the schedule; null for any number. */
  limits?: Limits;
  /** Weekly times that the person never takes, in the zone of the schedule. */
  never?: readonly NeverTime[];
  /** The first and the last day on which the person may be on call, such as `2026-12-24`, in the zone of the schedule. */
  from?: string;
  until?: string;
};

/** From an instant on (epoch milliseconds), a person has this percentage of a whole share. */
export type ShareStep = { from: number; percent: number };

export const USUAL_RULES: PlanRules = {
  weights: { night: 1, weekend: 1, holiday: 1 },
  limits: {},
  elsewhere: 'avoid',
  countElsewhereSince: null,
  smallAbsenceHours: 8,
  shares: {},
};

/** The limits of one person: those of the schedule, overridden by the person's own. */
export function limitsOfPerson(
  { limits, people }: Pick<PlanRules, 'limits' | 'people'>,
  userId: string,
): Limits {
  return { ...limits, ...people?.[userId]?.limits };
}

/** Rules as stored; null means the usual ones. */
export function storedRules(value: unknown): PlanRules {
  return { ...USUAL_RULES, ...((value ?? {}) as Partial<PlanRules>) };
}

/** A whole share. */
export const WHOLE_SHARE = 100;

/** The percentage of a whole share that is expected of a person at an instant, in epoch milliseconds. */
export function shareAt(steps: readonly ShareStep[] | undefined, at: number): number {
  return steps?.findLast(({ from }) => from <= at)?.percent ?? WHOLE_SHARE;
}

/** Shares of earlier times matter as long as the shifts that they affect, which is a year. */
const REMEMBERED_MS = 400 * 86_400_000;

/**
 * The shares after people got other percentages at an instant. Expectations for earlier times do not change, so that a
 * person who begins to work part-time does not owe or earn shifts for the past. `wanted`: by user id; all others have a
 * whole share.
 */
export function sharesAfter(
  before: PlanRules['shares'],
  wanted: ReadonlyMap<string, number>,
  at: number,
): PlanRules['shares'] {
  const people = [...new Set([...Object.keys(before), ...wanted.keys()])].sort();
  return Object.fromEntries(
    people.flatMap((userId): [string, ShareStep[]][] => {
      const known = before[userId] ?? [];
      const percent = wanted.get(userId) ?? WHOLE_SHARE;
      const isSame = (known.at(-1)?.percent ?? WHOLE_SHARE) === percent;
      const steps = isSame ? known : [...known.filter(({ from }) => from < at), { from: at, percent }];
      const kept = steps.filter((_, index) => (steps[index + 1]?.from ?? at) > at - REMEMBERED_MS);
      const isForgotten =
        kept.length === 1 && kept[0]?.percent === WHOLE_SHARE && kept[0].from <= at - REMEMBERED_MS;
      return kept.length === 0 || isForgotten ? [] : [[userId, kept]];
    }),
  );
}

/** The present percentages of people who do not have a whole share, by user id. */
export function presentShares({ shares }: PlanRules): Map<string, number> {
  return new Map(
    Object.entries(shares).flatMap(([userId, steps]): [string, number][] => {
      const percent = steps.at(-1)?.percent ?? WHOLE_SHARE;
      return percent === WHOLE_SHARE ? [] : [[userId, percent]];
    }),
  );
}

/** One line of text: `nights count 2 times, at most 2 shifts a month`; `usual` if nothing differs. */
export function rulesText(rules: PlanRules): string {
  const {
    weights,
    limits,
    elsewhere,
    countElsewhereSince,
    smallAbsenceHours,
    neverTwoJuniors = false,
  } = rules;
  const parts = [
    ...weightsText(weights),
    ...limitsText(limits),
    ...(neverTwoJuniors ? [t('never two juniors on call at the same time')] : []),
    ...(elsewhere === USUAL_RULES.elsewhere ? [] : [elsewhereText(elsewhere)]),
    ...(countElsewhereSince === null ? [] : [t('rest, limits and shares count shifts of other schedules')]),
    ...(smallAbsenceHours === USUAL_RULES.smallAbsenceHours ? [] : [smallText(smallAbsenceHours)]),
  ];
  return parts.length === 0 ? tIn('the planning rules', 'usual') : commas(parts);
}

function weightsText({ night, weekend, holiday }: PlanRules['weights']): string[] {
  return [
    ...(night === 1 ? [] : [t('nights count {weight, number} times', { weight: night })]),
    ...(weekend === 1 ? [] : [t('weekends count {weight, number} times', { weight: weekend })]),
    ...(holiday === 1 ? [] : [t('holidays count {weight, number} times', { weight: holiday })]),
  ];
}

function elsewhereText(elsewhere: PlanRules['elsewhere']): string {
  return {
    allow: () => t('shifts of other schedules do not matter'),
    avoid: () => t('not at the time of a shift of another schedule where that can be avoided'),
    never: () => t('never at the time of a shift of another schedule'),
  }[elsewhere]();
}

function smallText(hours: number): string {
  return hours === 0
    ? t('nobody gets a shift of which they are away for any time')
    : t('small absences are those of at most {hours, plural, one {# hour} other {# hours}}', { hours });
}
