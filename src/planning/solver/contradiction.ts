import type { Interval } from '../../kit/interval.ts';
import { type ApartRefusal, apartRefusal, otherOf } from '../../schedules/apart.ts';
import { awayBecause } from '../../schedules/eligibility.ts';
import {
  type AvailabilityRecord,
  type Contradiction,
  type IneligibleMember,
  overlap,
} from '../../schedules/planner.ts';
import type { Duties, Duty } from '../duties.ts';
import type { Plan } from './alternatives.ts';
import { isAlone, refusalAlone } from './companions.ts';
import { personApart, refusalApart } from './conflicts.ts';
import type { Problem, ProblemInput, Refused, Slot } from './problem.ts';
import { exceeded, exceeds } from './quotas.ts';
import { collisions } from './valuation.ts';

/** Explains a gap. Null if somebody could take the slot: a plan that is not proven best may leave such a gap. */
export function contradictionOf(plan: Plan, slot: number, facts: ContradictionInput): Contradiction | null {
  const { problem } = plan;
  const reached = reach(plan, slot);
  if (!reached) return null;
  const { slots, takers } = reached;
  const obstacles = slots.flatMap((index) => {
    const own = problem.slots[index];
    if (!own) return [];
    return membersOf(problem, index)
      .filter((userId) => !takers.has(userId))
      .flatMap((userId) => obstacleFor(plan, own, index, userId, facts) ?? []);
  });
  return {
    shifts: slots
      .flatMap((index) => problem.slots[index] ?? [])
      .map(({ stage, from, to }) => ({ stage, from, to })),
    takers: [...takers].sort(),
    obstacles: distinct(obstacles),
  };
}

export type ContradictionInput = {
  duties: Duties;
  records: ProblemInput['records'];
  smallAbsenceMs: number;
};

/** The members of the stage or layer of a slot, by id. */
function membersOf({ people, candidates, refused }: Plan['problem'], slot: number): string[] {
  const able = (candidates[slot] ?? []).map(({ person }) => people[person] ?? '');
  return [...able, ...(refused[slot] ?? []).map(({ userId }) => userId)].sort();
}

/** Follows a slot to the people who can take it, to their other slots at that time, and so on. */
function reach(
  { problem, choice, held }: Plan,
  slot: number,
): { slots: number[]; takers: Set<string> } | null {
  const slots = [slot];
  const takers = new Set<string>();
  for (const index of slots)
    for (const { person } of problem.candidates[index] ?? []) {
      if (takers.has(problem.people[person] ?? '')) continue;
      const against = collisions(problem, index, held[person] ?? []);
      const meanwhile = against.filter((other) => areMeanwhile(problem, index, other));
      if (against.length === 0) {
        const isWithin = !exceeds(problem.quotas, person, [...(held[person] ?? []), index]);
        const isApart = personApart(problem, choice, index, person) !== null;
        if (isWithin && !isApart && !isAlone(problem, choice, index, person)) return null;
        continue;
      }
      if (meanwhile.length > 0) takers.add(problem.people[person] ?? '');
      slots.push(...meanwhile.filter((other) => !slots.includes(other)));
    }
  return { slots, takers };
}

function areMeanwhile({ slots }: Problem, a: number, b: number): boolean {
  const [one, other] = [slots[a], slots[b]];
  return one !== undefined && other !== undefined && overlap(one, other);
}

function obstacleFor(
  plan: Plan,
  slot: Slot,
  index: number,
  userId: string,
  facts: ContradictionInput,
): IneligibleMember | null {
  const { records, duties } = facts;
  const own = records.get(userId) ?? [];
  const away = awayBecause(own, slot, facts.smallAbsenceMs);
  const record = away === 'unavailable' ? longestAbsence(own, slot) : null;
  if (record) return { userId, because: 'unavailable', record };
  if (away !== null && away !== 'unavailable') return { userId, because: away };
  const duty =
    [...ownDuties(duties, userId), ...plannedDuties(plan, index, userId)].find((other) =>
      overlap({ from: slot.from - plan.problem.restMs, to: slot.to + plan.problem.restMs }, other),
    ) ?? duties.givenBy(userId).find((other) => overlap(slot, other));
  if (duty) return { userId, because: overlap(duty, slot) ? 'busy' : 'rest', duty: spanOf(duty) };
  const refused = plan.problem.refused[index]?.find((one) => one.userId === userId);
  const { because, elsewhere } = refused ?? {};
  if (because === 'elsewhere') return { userId, because, ...(elsewhere ? { elsewhere } : {}) };
  if (elsewhere) return { userId, because: 'elsewhere_rest', elsewhere };
  const person = plan.problem.people.indexOf(userId);
  const apart = apartIn(refused) ?? refusalApart(plan.problem, plan.choice, index, person);
  if (apart) return { userId, ...apart };
  const alone = refusalAlone(plan.problem, plan.choice, new Map([[index, person]]), person);
  if (alone) return { userId, ...alone };
  const limit = exceeded(plan.problem.quotas, person, [...(plan.held[person] ?? []), index]);
  return limit ? { userId, because: 'limit', limit } : null;
}

function apartIn(refused: Refused | undefined): ApartRefusal | null {
  const other = refused && otherOf(refused);
  if (other === undefined || (refused?.because !== 'junior' && refused?.because !== 'apart')) return null;
  return apartRefusal(refused.because, other);
}

/** Shifts in other schedules are named by the refusal, because they may be at the same time. */
function ownDuties(duties: Duties, userId: string): Duty[] {
  return duties.of(userId).filter((duty) => !duty.elsewhere);
}

/**
 * Only the span, because other times of a place depend on when the plan was made, and the reason must not change with
 * it.
 */
function spanOf({ stage, from, to }: Duty): Interval & { stage: number } {
  return { stage, from, to };
}

function longestAbsence(records: readonly AvailabilityRecord[], slot: Interval): Interval | null {
  const absences = records.filter(
    ({ type, why, ...span }) => type === 'hard_unavailable' && why === undefined && overlap(span, slot),
  );
  const [longest] = absences.sort((a, b) => b.to - a.to || a.from - b.from);
  return longest ? { from: longest.from, to: longest.to } : null;
}

/** What a person has in this plan, or from before, that conflicts with a slot. */
function plannedDuties({ problem, held }: Plan, index: number, userId: string): Duty[] {
  const own = held[problem.people.indexOf(userId)] ?? [];
  const against = collisions(problem, index, own).flatMap((other) => problem.slots[other] ?? []);
  const known = problem.slots.filter(({ place }) => place.kept?.userId === userId);
  return [...against, ...known].map(spanOf);
}

function distinct(obstacles: readonly IneligibleMember[]): IneligibleMember[] {
  return [...new Map(obstacles.map((obstacle) => [JSON.stringify(obstacle), obstacle])).values()];
}
