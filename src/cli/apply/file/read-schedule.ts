import { MOST_ACKNOWLEDGE_TIMEOUT_MINUTES } from '../../../schedules/acknowledge-timeout-contract.ts';
import type { OverrideEntry, ScheduleEntry } from './definition.ts';
import { readEmail, readTimeRange, readTimeZone } from './read-common.ts';
import { readHolidays } from './read-holidays.ts';
import { readPlanning } from './read-planning.ts';
import { readPattern, readStageNumber, readStages } from './read-stages.ts';
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
  'acknowledge_timeout_minutes',
  'holidays',
  'weights',
  'limits',
  'elsewhere',
  'small_absence_hours',
  'shifts',
  'stages',
  'overrides',
] as const;

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
    acknowledgeTimeoutMinutes: fields
      .get('acknowledge_timeout_minutes')
      ?.number({ min: 0, max: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES, whole: true }),
    holidays: readHolidays(fields.get('holidays')),
    planning: readPlanning(fields),
    pattern: readPattern(fields.get('shifts')),
    stages: readStages(fields.get('stages')),
    overrides: readOverrides(fields.get('overrides')),
  };
  return name && nameText !== undefined ? { name: name.placed(nameText), ...entry } : undefined;
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
