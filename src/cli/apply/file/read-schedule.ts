import { parsePattern } from '../../../schedules/plan/pattern.ts';
import type { OverrideEntry, ScheduleEntry, StageEntry } from './definition.ts';
import type { Placed } from './place.ts';
import { readEmail, readPeople, readTimeRange, readTimeZone } from './read-common.ts';
import { readSlug } from './read-team.ts';
import type { Value } from './value.ts';

const KEYS = [
  'name',
  'team',
  'description',
  'enabled',
  'time_zone',
  'backstop',
  'strategy',
  'plan_ahead_weeks',
  'rest_hours',
  'cover',
  'shifts',
  'stages',
  'overrides',
] as const;
const STAGE_KEYS = ['stage', 'members', 'escalate_after_minutes', 'seats'] as const;

const DEFAULT_DELAY_MINUTES = 5;
/** Rounds to one second. */
const MIN_DELAY_MINUTES = 0.01;
/** A week; the table's own limit. */
const MAX_DELAY_MINUTES = 10_080;

export function readSchedule(value: Value): ScheduleEntry | undefined {
  const fields = value.fields('a schedule', KEYS);
  if (!fields) return undefined;
  const name = fields.require('name', 'a text of 1 to 200 characters');
  const nameText = name?.text();
  const entry = {
    team: readSlug(fields.get('team')),
    description: fields.clears('description')
      ? null
      : fields.get('description')?.text({ max: 10_000, blank: true }),
    enabled: fields.get('enabled')?.flag(),
    timeZone: readTimeZone(fields.get('time_zone')),
    backstop: fields.clears('backstop') ? null : readEmail(fields.get('backstop')),
    strategy: fields.get('strategy')?.choice(['fair', 'rotation']),
    planAheadWeeks: fields.get('plan_ahead_weeks')?.number({ min: 1, max: 104, whole: true }),
    restHours: fields.get('rest_hours')?.number({ min: 0, max: 8_760 }),
    cover: fields.get('cover')?.choice(['propose', 'apply']),
    pattern: readPattern(fields.get('shifts')),
    stages: readStages(fields.get('stages')),
    overrides: readOverrides(fields.get('overrides')),
  };
  return name && nameText !== undefined ? { name: name.placed(nameText), ...entry } : undefined;
}

/** Problems of the pattern are shown at the key that they name. */
function readPattern(value: Value | undefined): ScheduleEntry['pattern'] {
  const plain = value?.plain();
  if (value === undefined || plain === undefined) return undefined;
  const reading = parsePattern(plain);
  if ('pattern' in reading) return reading.pattern;
  for (const { field, message } of reading.problems) value.problemBelow(field, message);
  return undefined;
}

function readStages(value: Value | undefined): StageEntry[] | undefined {
  const items = value?.list();
  if (items?.length === 0) value?.problem('is empty; give at least one stage');
  const stages = items?.flatMap((item) => readStage(item) ?? []);
  const seen = new Set<number>();
  for (const { stage } of stages ?? []) {
    if (seen.has(stage.value)) value?.problemBelow(stage.path.slice(value.path.length), 'appears twice');
    seen.add(stage.value);
  }
  return stages;
}

function readStage(value: Value): StageEntry | undefined {
  const fields = value.fields('a stage', STAGE_KEYS);
  if (!fields) return undefined;
  const stage = readStageNumber(fields.require('stage', 'its number; decimals are fine'));
  const members = readPeople(fields.require('members', 'a list of email addresses'));
  const minutes =
    fields.get('escalate_after_minutes')?.number({ min: MIN_DELAY_MINUTES, max: MAX_DELAY_MINUTES }) ??
    DEFAULT_DELAY_MINUTES;
  const seats = fields.get('seats')?.number({ min: 1, max: 20, whole: true }) ?? 1;
  if (!stage) return undefined;
  return { stage, members: members ?? [], escalateAfterSeconds: Math.round(minutes * 60), seats };
}

function readStageNumber(value: Value | undefined): Placed<number> | undefined {
  const number = value?.number({ min: 0, max: 1_000_000 });
  return value && number !== undefined ? value.placed(number) : undefined;
}

function readOverrides(value: Value | undefined): OverrideEntry[] | undefined {
  return value?.list()?.flatMap((item) => readOverride(item) ?? []);
}

function readOverride(value: Value): OverrideEntry | undefined {
  const fields = value.fields('an override', ['stage', 'user', 'start', 'end']);
  if (!fields) return undefined;
  const stage = readStageNumber(fields.require('stage', 'the number of the stage'));
  const user = readEmail(fields.require('user', 'the email address of who takes over'));
  const range = readTimeRange(fields);
  return stage && user && range && { stage, user, ...range };
}
