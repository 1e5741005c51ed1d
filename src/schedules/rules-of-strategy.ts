import { listed, t } from '../language/contract.ts';
import type { ScheduleDefinition } from './definition.ts';
import { type PlanRules, USUAL_RULES } from './rules.ts';

/** Rules that only count with `fair`. A rotation decides one shift after the other, and cannot keep them. */
type FairRules = Pick<PlanRules, 'limits' | 'elsewhere'> & Required<Pick<PlanRules, 'people' | 'onlyWith'>>;

type Strategy = ScheduleDefinition['strategy'];

/** The rules of `FairRules` as they count with a strategy. In `people`, only the limits depend on it. */
export function rulesOfStrategy(strategy: Strategy, rules: PlanRules): FairRules {
  const { limits, elsewhere, people = {}, onlyWith = [] } = strategy === 'fair' ? rules : USUAL_RULES;
  return { limits, elsewhere, people, onlyWith };
}

/**
 * A sentence that names the rules that have no effect with the strategy of a schedule, and what to do; nothing if all of
 * them have one. The form, the API, the operator's file and `tocsin` show it.
 */
export function ignoredRules(
  { name, strategy }: Pick<ScheduleDefinition, 'name' | 'strategy'>,
  rules: PlanRules,
): string[] {
  const fields = strategy === 'fair' ? [] : fairFields(rules);
  if (fields.length === 0) return [];
  return [
    t(
      '{schedule} is a rotation, and rotations ignore {fields}. Set its strategy to fair so that plans keep these rules, or remove them.',
      { schedule: name, fields: listed(fields, 'and') },
    ),
  ];
}

/** The fields of the API and the file. `elsewhere: avoid` is the default, and asks for nothing that has to be kept. */
function fairFields({ limits, people = {}, onlyWith = [], elsewhere }: PlanRules): string[] {
  const isSet = (own: PlanRules['limits'] = {}) => Object.values(own).some((most) => (most ?? null) !== null);
  return [
    ...(isSet(limits) ? ['limits'] : []),
    ...(Object.values(people).some((own) => isSet(own.limits)) ? ['people[].limits'] : []),
    ...(onlyWith.length > 0 ? ['only_with'] : []),
    ...(elsewhere === 'never' ? ['elsewhere: never'] : []),
  ];
}
