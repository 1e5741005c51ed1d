import { createHash } from 'node:crypto';
import type { Override } from '../../schedules/overlay.ts';
import { overlap, type Place } from '../../schedules/planner.ts';
import type { ProblemInput } from '../solver/problem.ts';
import type { Strategy } from '../strategies.ts';

/** Fixes the shifts that a draft must not change: those that begin before `from`, and those with an override. */
export function draftInput(
  input: ProblemInput,
  from: number,
  overrides: readonly Override[],
  { strategy, freedom }: { strategy: Strategy; freedom: 'keep' | 'fresh' },
): ProblemInput {
  const isLocked = (place: Place) =>
    place.from < from ||
    overrides.some(
      (override) =>
        override.stage === place.stage &&
        (override.seat ?? place.seat) === place.seat &&
        overlap(override, place),
    );
  const stages = input.stages.map((stage) => ({
    ...stage,
    members: freedom === 'keep' ? stage.members : stage.members.map(({ sharesFrom: _, ...member }) => member),
    places: stage.places.map((place) => {
      const fixed = place.fixed || isLocked(place);
      return {
        ...place,
        fixed,
        // A rotation starts over if the plan forgets who had its shifts.
        kept: strategy === 'rotation' && freedom === 'fresh' && !fixed ? null : place.kept,
        // A fresh plan gives no published shift precedence over a gap.
        yields: place.yields && freedom === 'keep',
      };
    }),
  }));
  return { ...input, stages, closeness: freedom === 'keep' ? 'first' : 'last' };
}

/**
 * A hash of the whole input of a plan, including the order that decides between equals. The order of the input does not
 * matter.
 */
export function inputHash(input: ProblemInput, overrides: readonly Override[]): string {
  const { elsewhere, order: _, ...own } = input;
  const facts = [
    own,
    own.rules?.elsewhere === 'never' || own.countElsewhereSince !== undefined ? elsewhere : null,
    sorted(overrides),
  ];
  return createHash('sha256').update(JSON.stringify(facts, plain)).digest('base64url');
}

function sorted(overrides: readonly Override[]): Override[] {
  return [...overrides].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Drops the reasons of shifts, which do not affect a plan, and sorts maps and sets. */
function plain(key: string, value: unknown): unknown {
  if (key === 'reason') return undefined;
  if (value instanceof Map) return [...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return value instanceof Set ? [...value].sort() : value;
}
