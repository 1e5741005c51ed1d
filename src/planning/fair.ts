import type { Interval } from '../kit/interval.ts';
import {
  type Member,
  overlap,
  type PlanInput,
  type Planner,
  type StageInput,
  shareStart,
} from '../schedules/planner.ts';
import type { Duties } from './duties.ts';
import { type Chooser, planInTurns } from './turns.ts';

/** What preferences weigh, in shifts: a person who prefers to be free counts as having had two more shifts. */
const SOFT = 2;
const REQUESTED = -2;
const BACK_TO_BACK = 1;
const HOUR = 3_600_000;

/**
 * Greedy planner for equal shares: each shift goes to the available person with the fewest hours on call in proportion
 * to the time they were present. Preferences have a bounded weight, so that nobody can avoid all shifts.
 */
export const fair: Planner = {
  plan: (input) => planInTurns(input, (stage, duties) => leastBurdened(input, stage, duties)),
};

function leastBurdened(input: PlanInput, stage: StageInput, duties: Duties): Chooser {
  const members = new Map(stage.members.map((member) => [member.userId, member]));

  function burden(userId: string, shift: Interval): number {
    const member = members.get(userId);
    if (!member) return Number.POSITIVE_INFINITY;
    const length = shift.to - shift.from;
    const carried = carriedMs(member, duties, shift.to) + length * (1 + wishes(userId, shift));
    return carried / Math.max(HOUR, presentMs(member, input, shift.to));
  }

  function wishes(userId: string, shift: Interval): number {
    return (
      (duties.covers(userId, 'soft_unavailable', shift) ? SOFT : 0) +
      (duties.covers(userId, 'requested', shift) ? REQUESTED : 0) +
      (duties.isNextTo(userId, stage.stage, shift) ? BACK_TO_BACK : 0)
    );
  }

  return {
    // The duties already hold everything needed here.
    see: () => undefined,
    choose(place, able, refusals) {
      const burdens = new Map(able.map((userId) => [userId, burden(userId, place)]));
      const userId = able.reduce((best, next) =>
        (burdens.get(next) ?? 0) < (burdens.get(best) ?? 0) ? next : best,
      );
      const skipped = [...refusals].map(([user_id, refusal]) => ({ user_id, ...refusal }));
      return { userId, reason: { rule: 'least', skipped } };
    },
  };
}

/** Time on call in all stages of the schedule since the person joined, in milliseconds. */
function carriedMs(member: Member, duties: Duties, until: number): number {
  const start = shareStart(member);
  let carried = 0;
  for (const duty of duties.of(member.userId))
    if (duty.from < until && duty.to > start) carried += duty.to - Math.max(duty.from, start);
  return carried;
}

/** Time since joining without absences, in milliseconds. Overlapping records count once; they are sorted by start. */
function presentMs(member: Member, input: PlanInput, until: number): number {
  let counted = shareStart(member);
  let present = until - counted;
  for (const record of input.records.get(member.userId) ?? []) {
    if (record.type !== 'hard_unavailable' || !overlap(record, { from: counted, to: until })) continue;
    const to = Math.min(record.to, until);
    present -= to - Math.max(record.from, counted);
    counted = to;
  }
  return present;
}
