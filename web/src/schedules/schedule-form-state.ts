import type { Detail } from '../../../src/kit/detail-contract.ts';
import {
  DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES,
  DEFAULT_ROUNDS,
} from '../../../src/schedules/acknowledge-timeout-contract.ts';
import { LIMIT_FIELDS, type LimitField } from '../../../src/schedules/limits-contract.ts';
import type { ScheduleBody, ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { fieldText } from '../kit/detail.ts';
import { fromForm, type HoursForm, type PatternForm, toForm } from './pattern-words.ts';

const FIELDS = Object.values(LIMIT_FIELDS);

/** The values of the schedule form; numbers are strings until they are sent. */
export type ScheduleForm = {
  name: string;
  team: string | null;
  description: string;
  enabled: boolean;
  timeZone: string;
  backstop: string | null;
  strategy: 'fair' | 'rotation';
  weeks: string;
  rest: string;
  cover: 'propose' | 'apply';
  acknowledgeTimeout: string;
  rounds: string;
  askAgain: { medium: string; low: string };
  holidays: 'weight' | 'uncovered';
  weights: { night: string; weekend: string; holiday: string };
  /** Empty: any number. */
  limits: Partial<Record<LimitField, string>>;
  /** Settings that differ for single people. */
  ownLimits: LimitForm[];
  neverTwoJuniors: boolean;
  juniors: string[];
  /** Groups of ids. */
  neverTogether: string[][];
  /** Who is on call only with one of others; nobody in `people` means everybody else. */
  onlyWith: { people: string[]; with: string[] }[];
  shadows: ShadowForm[];
  never: (HoursForm & { person: string })[];
  dates: { person: string; from: string; until: string }[];
  elsewhere: 'allow' | 'avoid' | 'never';
  countElsewhere: boolean;
  /** Hours. */
  smallAbsence: string;
  /** Percentages by the id of the person; a person without one has a whole share. */
  shares: Record<string, string>;
  pattern: PatternForm;
  stages: StageForm[];
};
/** What a part of the schedule form gets. `problems`: what the service refused, by field. */
export type FormPart = {
  value: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problems: ReadonlyMap<string, string>;
};

export type StageForm = {
  stage: string;
  minutes: string;
  seats: string;
  members: string[];
  layers: LayerForm[];
  /** The stage of another schedule whose people answer; the stage is empty until it is chosen. */
  linkedTo: { schedule: string | null; stage: string } | null;
};
export type ShadowForm = { person: string; of: string | null; from: string; until: string };
export type LimitForm = {
  person: string;
  limit: LimitField;
  /** Empty: any number. */
  most: string;
};
export type LayerForm = {
  name: string;
  timeZone: string | null;
  seats: string;
  members: string[];
  pattern: PatternForm | null;
};

export function newForm(team: string | null, timeZone: string): ScheduleForm {
  return {
    ...{ name: '', team, description: '', enabled: true, timeZone, backstop: null, strategy: 'fair' },
    ...{ weeks: '12', rest: '0', cover: 'propose', holidays: 'weight' },
    acknowledgeTimeout: `${DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES}`,
    rounds: `${DEFAULT_ROUNDS}`,
    askAgain: { medium: '0', low: '0' },
    weights: { night: '1', weekend: '1', holiday: '1' },
    ...{ limits: {}, ownLimits: [], never: [], dates: [], elsewhere: 'avoid', smallAbsence: '8' },
    countElsewhere: true,
    ...{ neverTwoJuniors: false, juniors: [], neverTogether: [], onlyWith: [], shadows: [] },
    shares: {},
    pattern: toForm({ every: 'week', handoff: 'Monday 09:00' }),
    stages: [newStage([])],
  };
}

/** Whether limits or rules for single people are set. */
export function hasRules(form: ScheduleForm): boolean {
  const {
    limits,
    shares,
    neverTwoJuniors,
    ownLimits,
    juniors,
    neverTogether,
    onlyWith,
    shadows,
    never,
    dates,
  } = form;
  const lists = [ownLimits, juniors, neverTogether, onlyWith, shadows, never, dates];
  return (
    neverTwoJuniors ||
    lists.some((list) => list.length > 0) ||
    [...Object.values(limits), ...Object.values(shares)].some(Boolean)
  );
}

/** The new stage gets the next whole number. */
export function newStage(stages: readonly StageForm[]): StageForm {
  const highest = Math.max(0, ...stages.map(({ stage }) => Number(stage) || 0));
  return {
    stage: `${Math.floor(highest) + 1}`,
    minutes: '5',
    seats: '1',
    members: [],
    layers: [],
    linkedTo: null,
  };
}

/** The first layer of a stage takes over the members of the stage. */
export function newLayer(stage: StageForm | null): LayerForm {
  return {
    name: '',
    timeZone: null,
    seats: stage?.seats ?? '1',
    members: stage?.members ?? [],
    pattern: null,
  };
}

export function formOf(schedule: ScheduleSettings): ScheduleForm {
  return {
    name: schedule.name,
    team: schedule.team.id,
    description: schedule.description ?? '',
    enabled: schedule.enabled,
    timeZone: schedule.time_zone,
    backstop: schedule.backstop?.id ?? null,
    strategy: schedule.strategy,
    weeks: `${schedule.plan_ahead_weeks}`,
    rest: `${schedule.rest_hours}`,
    cover: schedule.cover,
    rounds: `${schedule.rounds}`,
    acknowledgeTimeout: `${schedule.acknowledge_timeout_minutes}`,
    askAgain: {
      medium: `${schedule.ask_again_medium_minutes}`,
      low: `${schedule.ask_again_low_minutes}`,
    },
    holidays: schedule.holidays,
    weights: {
      night: `${schedule.weights.night}`,
      weekend: `${schedule.weights.weekend}`,
      holiday: `${schedule.weights.holiday}`,
    },
    limits: Object.fromEntries(FIELDS.map((field) => [field, `${schedule.limits[field] ?? ''}`])),
    ownLimits: schedule.people.flatMap(({ person, limits = {} }) =>
      FIELDS.flatMap((limit) => {
        const most = limits[limit];
        return most === undefined ? [] : [{ person, limit, most: `${most ?? ''}` }];
      }),
    ),
    neverTwoJuniors: schedule.never_two_juniors,
    juniors: schedule.people.flatMap(({ person, level }) => (level === 'junior' ? [person] : [])),
    neverTogether: schedule.never_together,
    onlyWith: schedule.only_with.map((rule) => ({ people: rule.people ?? [], with: rule.with })),
    shadows: schedule.shadows.map((one) => ({ ...one, from: one.from ?? '', until: one.until ?? '' })),
    never: schedule.people.flatMap(({ person, never }) => never.map((one) => ({ person, ...one }))),
    dates: schedule.people.flatMap(({ person, from, until }) =>
      from || until ? [{ person, from: from ?? '', until: until ?? '' }] : [],
    ),
    elsewhere: schedule.elsewhere,
    countElsewhere: schedule.count_elsewhere,
    smallAbsence: `${schedule.small_absence_hours}`,
    shares: Object.fromEntries(schedule.shares.map(({ person, percent }) => [person, `${percent}`])),
    pattern: toForm(schedule.shifts),
    stages: schedule.stages.map(({ stage, escalate_after_minutes, seats, members, layers, linked_to }) => ({
      ...{ stage: `${stage}`, minutes: `${escalate_after_minutes}`, seats: `${seats}` },
      members: members.map(({ id }) => id),
      linkedTo: linked_to && { schedule: linked_to.schedule, stage: `${linked_to.stage}` },
      layers: layers.map((layer) => ({
        ...{ name: layer.name, timeZone: layer.time_zone, seats: `${layer.seats}` },
        members: layer.members.map(({ id }) => id),
        pattern: layer.shifts && toForm(layer.shifts),
      })),
    })),
  };
}

export function bodyOf(form: ScheduleForm): ScheduleBody {
  return {
    name: form.name,
    ...(form.team === null ? {} : { team: form.team }),
    description: form.description.trim() ? form.description : null,
    ...{ enabled: form.enabled, time_zone: form.timeZone, backstop: form.backstop, strategy: form.strategy },
    ...{ plan_ahead_weeks: numberOf(form.weeks), rest_hours: numberOf(form.rest) },
    rounds: numberOf(form.rounds),
    acknowledge_timeout_minutes: numberOf(form.acknowledgeTimeout),
    ask_again_medium_minutes: numberOf(form.askAgain.medium),
    ask_again_low_minutes: numberOf(form.askAgain.low),
    ...{ cover: form.cover, holidays: form.holidays, shifts: fromForm(form.pattern) },
    weights: {
      night: numberOf(form.weights.night),
      weekend: numberOf(form.weights.weekend),
      holiday: numberOf(form.weights.holiday),
    },
    limits: Object.fromEntries(FIELDS.map((field) => [field, numberOrNull(form.limits[field] ?? '')])),
    never_two_juniors: form.neverTwoJuniors,
    never_together: groupsOf(form),
    only_with: form.onlyWith
      .filter((rule) => rule.with.length > 0)
      .map((rule) => ({ people: rule.people.length > 0 ? rule.people : null, with: rule.with })),
    shadows: form.shadows.map((one) => ({ ...one, from: one.from || null, until: one.until || null })),
    people: peopleOf(form),
    elsewhere: form.elsewhere,
    count_elsewhere: form.countElsewhere,
    small_absence_hours: numberOf(form.smallAbsence),
    shares: membersOf(form).flatMap((person) => {
      const percent = numberOf(form.shares[person] ?? '100');
      return percent === 100 ? [] : [{ person, percent }];
    }),
    stages: form.stages.map(stageBody),
  };
}

/** Only the settings that differ from the stored ones, so that saving undoes no change of somebody else. */
export function changesOf(stored: ScheduleForm | undefined, form: ScheduleForm): ScheduleBody {
  const body = bodyOf(form);
  if (!stored) return body;
  const before = new Map(Object.entries(bodyOf(stored)));
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(before.get(name)) !== JSON.stringify(value),
    ),
  );
}

type StageBody = NonNullable<ScheduleBody['stages']>[number];

function stageBody({ stage, minutes, seats, members, layers, linkedTo }: StageForm): StageBody {
  const own = { stage: numberOf(stage), escalate_after_minutes: numberOf(minutes) };
  if (linkedTo)
    return {
      ...own,
      members: [],
      layers: [],
      linked_to: { schedule: linkedTo.schedule ?? '', stage: numberOf(linkedTo.stage) },
    };
  return {
    ...own,
    ...(layers.length > 0 ? {} : { seats: numberOf(seats), members }),
    linked_to: null,
    layers: layers.map((layer) => ({
      ...{
        name: layer.name,
        time_zone: layer.timeZone,
        seats: numberOf(layer.seats),
        members: layer.members,
      },
      ...(layer.pattern ? { shifts: fromForm(layer.pattern) } : {}),
    })),
  };
}

/**
 * Settings that differ for single members of the form. If there are several entries for one limit, the last one counts.
 */
function peopleOf(form: ScheduleForm): NonNullable<ScheduleBody['people']> {
  return membersOf(form).flatMap((person) => {
    const isOwn = (one: { person: string }) => one.person === person;
    const limits = Object.fromEntries(
      form.ownLimits.filter(isOwn).map(({ limit, most }) => [limit, numberOrNull(most)]),
    );
    const never = form.never.filter(isOwn).map(({ person: _, ...hours }) => hours);
    const { from = '', until = '' } = form.dates.findLast(isOwn) ?? {};
    const level = form.juniors.includes(person) ? ('junior' as const) : null;
    if (Object.keys(limits).length + never.length === 0 && !from && !until && !level) return [];
    return [{ person, level, limits, never, from: from || null, until: until || null }];
  });
}

/** Groups with at least two members of the form. */
function groupsOf(form: ScheduleForm): string[][] {
  const members = new Set(membersOf(form));
  const groups = form.neverTogether.map((group) => group.filter((person) => members.has(person)));
  return groups.filter((group) => group.length > 1);
}

/** The ids of all people in the stages and layers of the form, each once. */
export function membersOf({ stages }: ScheduleForm): string[] {
  const all = stages
    .filter(({ linkedTo }) => !linkedTo)
    .flatMap(({ members, layers }) =>
      layers.length > 0 ? layers.flatMap((layer) => layer.members) : members,
    );
  return [...new Set(all)];
}

/** NaN, which the service refuses with the name of the field, for an empty text: `Number` makes 0 of it, which often means “never”. */
function numberOf(text: string): number {
  return numberOrNull(text) ?? Number.NaN;
}

function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

/** The problems of each field as reported by the service, joined when a field has several. */
export function problemsByField(details: readonly Detail[]): Map<string, string> {
  const problems = new Map<string, string>();
  for (const detail of details) {
    const said = problems.get(detail.field);
    problems.set(detail.field, `${said === undefined ? '' : `${said} `}${fieldText(detail)}`);
  }
  for (const list of ['shares', 'people', 'never_together', 'only_with', 'shadows']) {
    const own = [...problems].filter(([field]) => field.startsWith(list)).map(([, text]) => text);
    if (own.length > 0) problems.set(list, [...new Set(own)].join(' '));
  }
  return problems;
}
