import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { unknownTeam } from '../people/find-team.ts';
import { isEnabledWithNobody, type ScheduleDefinition, withNobody } from './definition.ts';
import { type LinkedSchedule, linkProblems } from './linked-stages.ts';
import { parsePattern } from './pattern.ts';
import { peopleAfter, peopleProblems, readLimits } from './person-rules.ts';
import { type PlanRules, sharesAfter, USUAL_RULES } from './rules.ts';
import type { ScheduleBody } from './settings-contract.ts';
import { mentionedMembers, readStage } from './settings-stages.ts';
import { readShadows, shadowProblems } from './shadows.ts';
import { lawfulLimits, WORKING_TIME } from './working-time-contract.ts';

/** What a body may refer to. `before` is null for a new schedule. */
export type Known = {
  before: ScheduleDefinition | null;
  /** Ids of the mentioned people who belong to the organization and can be on call. */
  people: ReadonlySet<string>;
  /** The id of the schedule; null for a new one. */
  id: string | null;
  /** The other schedules of the organization, as they will be. */
  others: readonly LinkedSchedule[];
  /** The id of the team that the body names; null if there is none. */
  teamId: string | null;
  nameTaken: boolean;
  /** The organization's time zone, the default of a new schedule. */
  timeZone: string;
  /** The time of the change, from which other shares count. */
  at: Temporal.Instant;
};

const DEFAULT_PLAN_AHEAD_WEEKS = 12;

/**
 * Reads the definition of a schedule from a body, or lists every problem. Fields in `broken` already failed validation
 * and are skipped.
 */
export function readDefinition(
  body: ScheduleBody,
  known: Known,
  broken: ReadonlySet<string>,
): { definition: ScheduleDefinition } | { problems: Detail[] } {
  const said = withWorkingTime(
    Object.fromEntries(Object.entries(body).filter(([key]) => !broken.has(key))) as ScheduleBody,
  );
  const stagesRead = (said.stages ?? []).map((stage, index, all) => readStage(stage, index, all, known));
  const read = said.shifts === undefined ? null : parsePattern(said.shifts);
  const problems = [
    ...(known.before ? [] : missing(body)),
    ...nameProblems(said, known),
    ...teamProblems(said, known),
    ...backstopProblems(said, known),
    ...listProblems('shares', said.shares, known),
    ...listProblems('people', said.people, known),
    ...peopleProblems(said.people),
    ...(said.never_together ?? []).flatMap((group, index) =>
      peopleIn(`never_together[${index}]`, group, known.people),
    ),
    ...onlyWithProblems(said.only_with, known),
    ...shadowProblems(said.shadows, (userId) => known.people.has(userId), notActive()),
    ...(read && 'problems' in read ? below('shifts', read.problems) : []),
    ...stagesRead.flatMap((one) => one.problems),
  ];
  const pattern = read && 'pattern' in read ? read.pattern : known.before?.pattern;
  const teamId = said.team === undefined ? known.before?.teamId : known.teamId;
  const stages = said.stages ? stagesRead.map(({ stage }) => stage) : known.before?.stages;
  const name = said.name?.trim() ?? known.before?.name;
  if (problems.length > 0 || broken.size > 0 || !pattern || !teamId || !stages || name === undefined)
    return { problems };
  const base = known.before ?? {
    ...{ description: null, enabled: true, timeZone: known.timeZone, backstopUserId: null },
    ...{ strategy: 'rotation' as const, planAheadWeeks: DEFAULT_PLAN_AHEAD_WEEKS, restHours: 0 },
    cover: 'propose' as const,
  };
  const planning = rulesAfter(said, known.before?.planning ?? USUAL_RULES, known.at);
  const rest = { planning, name, teamId, pattern, stages, overrides: null };
  const definition = { ...base, ...settingsOf(said), ...rest };
  if (isEnabledWithNobody(definition, known.before))
    return { problems: [{ field: 'enabled', message: withNobody() }] };
  const linking = linkProblems(definition, known.id, known.others);
  return linking.length > 0 ? { problems: linking } : { definition };
}

/** Limits of a law apply if the body does not set its own. Only the numbers are stored. */
function withWorkingTime({ working_time, ...said }: ScheduleBody): ScheduleBody {
  if (working_time === undefined) return said;
  const { restHours } = WORKING_TIME[working_time];
  return { rest_hours: restHours, ...said, limits: { ...lawfulLimits(working_time), ...said.limits } };
}

function rulesAfter(body: ScheduleBody, before: PlanRules, at: Temporal.Instant): PlanRules {
  const { weights, limits, elsewhere, small_absence_hours, shares, people } = body;
  const neverTogether = body.never_together ?? before.neverTogether ?? [];
  const onlyWith =
    body.only_with?.map(({ people: own = null, with: others }) => ({ people: own, with: others })) ??
    before.onlyWith ??
    [];
  const shadows = body.shadows ? readShadows(body.shadows) : (before.shadows ?? []);
  const neverTwoJuniors = body.never_two_juniors ?? before.neverTwoJuniors ?? false;
  const wanted = shares && new Map(shares.map(({ person, percent }) => [person, percent]));
  return {
    weights: {
      night: weights?.night ?? before.weights.night,
      weekend: weights?.weekend ?? before.weights.weekend,
      holiday: weights?.holiday ?? before.weights.holiday,
    },
    limits: { ...before.limits, ...readLimits(limits) },
    elsewhere: elsewhere ?? before.elsewhere,
    countElsewhereSince: countedSince(body.count_elsewhere, before, at),
    smallAbsenceHours: small_absence_hours ?? before.smallAbsenceHours,
    shares: wanted ? sharesAfter(before.shares, wanted, at.epochMilliseconds) : before.shares,
    people: people ? peopleAfter(before.people, people, at.epochMilliseconds) : (before.people ?? {}),
    ...(neverTwoJuniors ? { neverTwoJuniors } : {}),
    ...(neverTogether.length > 0 ? { neverTogether } : {}),
    ...(onlyWith.length > 0 ? { onlyWith } : {}),
    ...(shadows.length > 0 ? { shadows } : {}),
  };
}

/** Shifts before the rule began do not count, so nobody owes shifts for them. */
function countedSince(
  wanted: boolean | undefined,
  { countElsewhereSince: since }: PlanRules,
  at: Temporal.Instant,
): number | null {
  if (wanted === undefined || wanted === (since !== null)) return since;
  return wanted ? at.epochMilliseconds : null;
}

/** Ids of the people that a body mentions. */
export function mentionedPeople(body: ScheduleBody, broken: ReadonlySet<string>): string[] {
  const members = broken.has('stages') ? [] : (body.stages ?? []).flatMap(mentionedMembers);
  const backstop = broken.has('backstop') ? null : body.backstop;
  const listed = (['shares', 'people'] as const).flatMap((list) =>
    broken.has(list) ? [] : (body[list] ?? []).map(({ person }) => person),
  );
  const grouped = broken.has('never_together') ? [] : (body.never_together ?? []).flat();
  const shadows = broken.has('shadows') ? [] : (body.shadows ?? []);
  const learning = shadows.flatMap(({ person, of }) => (of ? [person, of] : [person]));
  const companions = broken.has('only_with') ? [] : (body.only_with ?? []);
  const together = companions.flatMap(({ people, with: others }) => [...(people ?? []), ...others]);
  return [...members, ...listed, ...grouped, ...together, ...learning, ...(backstop ? [backstop] : [])];
}

function listProblems(
  list: 'shares' | 'people',
  entries: readonly { person: string }[] = [],
  { people }: Known,
): Detail[] {
  return entries.flatMap(({ person }, index) => {
    const field = `${list}[${index}].person`;
    if (entries.findIndex((other) => other.person === person) < index) {
      const message =
        list === 'shares'
          ? t('is listed twice; give each person one share')
          : t('is listed twice; give each person one entry with all of their settings');
      return [{ field, message }];
    }
    if (people.has(person)) return [];
    return [{ field, message: notActive() }];
  });
}

function notActive(): string {
  return t('is not the id of an active person of your organization; see /api/people');
}

/** Field names have the form `never_together[0][1]`. */
function peopleIn(field: string, group: readonly string[], known: ReadonlySet<string>): Detail[] {
  return group.flatMap((person, at): Detail[] => {
    const own = `${field}[${at}]`;
    if (group.indexOf(person) < at)
      return [{ field: own, message: t('is listed twice in its group; list each person once') }];
    return known.has(person) ? [] : [{ field: own, message: notActive() }];
  });
}

/** Field names have the form `only_with[0].with[1]`. */
function onlyWithProblems(rules: ScheduleBody['only_with'] = [], known: Known): Detail[] {
  return rules.flatMap(({ people, with: others }, index) => {
    const field = `only_with[${index}]`;
    const isAlone = others.length === 1 && people?.includes(others[0] ?? '');
    return [
      ...peopleIn(`${field}.people`, people ?? [], known.people),
      ...peopleIn(`${field}.with`, others, known.people),
      ...(isAlone
        ? [{ field: `${field}.with`, message: t('is a person of the same rule; also name somebody else') }]
        : []),
    ];
  });
}

function settingsOf(said: ScheduleBody): Partial<ScheduleDefinition> {
  const {
    description,
    enabled,
    time_zone,
    backstop,
    strategy,
    plan_ahead_weeks,
    rest_hours,
    cover,
    holidays,
    rounds,
    acknowledge_timeout_minutes: timeout,
    ask_again_medium_minutes: medium,
    ask_again_low_minutes: low,
  } = said;
  return {
    ...(description === undefined ? {} : { description: description?.trim() ? description : null }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(time_zone === undefined ? {} : { timeZone: time_zone }),
    ...(backstop === undefined ? {} : { backstopUserId: backstop }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(plan_ahead_weeks === undefined ? {} : { planAheadWeeks: plan_ahead_weeks }),
    ...(rest_hours === undefined ? {} : { restHours: rest_hours }),
    ...(cover === undefined ? {} : { cover }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(timeout === undefined ? {} : { acknowledgeTimeoutMinutes: timeout }),
    ...(medium === undefined ? {} : { askAgainMediumMinutes: medium }),
    ...(low === undefined ? {} : { askAgainLowMinutes: low }),
    ...(holidays === undefined ? {} : { holidays }),
  };
}

/** A new schedule needs a name, a team, shifts and stages. */
function missing(body: ScheduleBody): Detail[] {
  const needed: [keyof ScheduleBody, string][] = [
    ['name', t('is missing; give a text of 1 to 200 characters')],
    ['team', t('is missing; give the slug of the team that it belongs to')],
    [
      'shifts',
      t('is missing; give the times at which shifts change, such as {example}', {
        example: '{ "every": "week", "handoff": "Monday 09:00" }',
      }),
    ],
    ['stages', t('is missing; give at least one stage with its members')],
  ];
  return needed
    .filter(([field]) => body[field] === undefined)
    .map(([field, message]) => ({ field, message }));
}

function nameProblems({ name }: ScheduleBody, { nameTaken }: Known): Detail[] {
  if (name === undefined || !nameTaken) return [];
  return [
    {
      field: 'name',
      message: t('is {name}, which another schedule already uses; give another name', {
        name: JSON.stringify(name),
      }),
    },
  ];
}

function teamProblems({ team }: ScheduleBody, { teamId }: Known): Detail[] {
  if (team === undefined || teamId !== null) return [];
  return [unknownTeam(team)];
}

function backstopProblems({ backstop }: ScheduleBody, { people }: Known): Detail[] {
  if (backstop === undefined || backstop === null || people.has(backstop)) return [];
  return [
    {
      field: 'backstop',
      message: t('is not a person of your organization who can be paged; choose somebody else'),
    },
  ];
}

/** Prefixes the problems of a part with its field. */
export function below(field: string, problems: readonly Detail[]): Detail[] {
  return problems.map((problem) => ({
    field: problem.field === '' ? field : `${field}.${problem.field}`,
    message: problem.message,
  }));
}
