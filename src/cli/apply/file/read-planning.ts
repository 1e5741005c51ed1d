import type { PlanRules } from '../../../schedules/rules.ts';
import type { Fields, Value } from './value.ts';

/** What a file says of how a schedule is planned; what it does not say stays. */
export type PlanningEntry = {
  weights: Partial<PlanRules['weights']>;
  limits: Partial<PlanRules['limits']>;
  elsewhere: PlanRules['elsewhere'] | undefined;
  smallAbsenceHours: number | undefined;
};

const KINDS = ['night', 'weekend', 'holiday'] as const;

/** `weights: { night: 2 }`, `limits: { shifts_per_week: 1 }`, `elsewhere: never`, `small_absence_hours: 4`. */
export function readPlanning(
  schedule: Fields<'weights' | 'limits' | 'elsewhere' | 'small_absence_hours'>,
): PlanningEntry {
  return {
    weights: readWeights(schedule.get('weights')),
    limits: readLimits(schedule.get('limits')),
    elsewhere: schedule.get('elsewhere')?.choice(['allow', 'avoid', 'never']),
    smallAbsenceHours: schedule.get('small_absence_hours')?.number({ min: 0, max: 168 }),
  };
}

/** The rules that a schedule has afterwards. */
export function rulesAfter(
  { weights, limits, elsewhere, smallAbsenceHours }: PlanningEntry,
  before: PlanRules,
): PlanRules {
  return {
    weights: { ...before.weights, ...weights },
    limits: { ...before.limits, ...limits },
    elsewhere: elsewhere ?? before.elsewhere,
    smallAbsenceHours: smallAbsenceHours ?? before.smallAbsenceHours,
  };
}

function readWeights(value: Value | undefined): PlanningEntry['weights'] {
  const fields = value?.fields('weights', KINDS);
  const weights: PlanningEntry['weights'] = {};
  for (const kind of KINDS) {
    const weight = fields?.get(kind)?.number({ min: 0, max: 100 });
    if (weight !== undefined) weights[kind] = weight;
  }
  return weights;
}

function readLimits(value: Value | undefined): PlanningEntry['limits'] {
  const fields = value?.fields('limits', ['shifts_per_week', 'shifts_per_month']);
  const read = (key: 'shifts_per_week' | 'shifts_per_month') =>
    fields?.clears(key) ? null : fields?.get(key)?.number({ min: 1, max: 1_000, whole: true });
  const [shiftsPerWeek, shiftsPerMonth] = [read('shifts_per_week'), read('shifts_per_month')];
  return {
    ...(shiftsPerWeek === undefined ? {} : { shiftsPerWeek }),
    ...(shiftsPerMonth === undefined ? {} : { shiftsPerMonth }),
  };
}
