import { limitsOf } from '../../schedules/eligibility.ts';
import { isAllTaken } from '../../schedules/ledger.ts';
import type { PlanRules } from '../../schedules/rules.ts';
import type { Duties, Duty } from '../duties.ts';
import type { Candidate, OpenPlace } from './problem.ts';

/** A person may have at most `most` of these slots, which begin in one week or month. */
export type Quota = { person: number; slots: readonly number[]; most: number };

/** The quotas that can be exceeded, reduced by the fixed shifts of each person. */
export function quotasOf(
  limits: PlanRules['limits'],
  timeZone: string,
  people: readonly string[],
  open: readonly OpenPlace[],
  candidates: readonly (readonly Candidate[])[],
  duties: Duties,
): Quota[] {
  const isCounted = (slot: number) => !open[slot]?.place || !isAllTaken(open[slot].place);
  return limitsOf(limits, timeZone).flatMap(({ most, periodOf }) => {
    const periods = Map.groupBy(open.keys(), (slot) => periodOf(open[slot]?.place.from ?? 0));
    return people.flatMap((userId, person) => {
      const had = Map.groupBy(shiftStarts(duties.of(userId)), periodOf);
      return [...periods].flatMap(([period, slots]) => {
        const mine = slots.filter(
          (slot) => isCounted(slot) && candidates[slot]?.some((one) => one.person === person),
        );
        const left = Math.max(0, most - (had.get(period)?.length ?? 0));
        return mine.length > left ? [{ person, slots: mine, most: left }] : [];
      });
    });
  });
}

/** The start of each of a person's shifts; all parts of a shift count once. */
function shiftStarts(duties: readonly Duty[]): number[] {
  const startOf = ({ shift, from }: Duty) => shift ?? from;
  const shifts = new Map(
    duties.map((duty) => [`${duty.stage} ${duty.seat} ${startOf(duty)}`, startOf(duty)]),
  );
  return [...shifts.values()];
}

/** Whether a person exceeds a quota; `held`: their slots. */
export function exceeds(quotas: readonly Quota[], person: number, held: readonly number[]): boolean {
  return quotas.some(
    (quota) =>
      quota.person === person && held.filter((slot) => quota.slots.includes(slot)).length > quota.most,
  );
}
