import { createHash } from 'node:crypto';
import type { Override } from '../../schedules/overlay.ts';
import { overlap, type Place } from '../../schedules/planner.ts';
import type { ProblemInput } from '../solver/problem.ts';
import type { Strategy } from '../strategies.ts';

/** What is left to decide: shifts that begin before `from`, or that somebody put an override on, stay as they are. */
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
        // A rotation begins anew by forgetting whose the shifts are.
        kept: strategy === 'rotation' && freedom === 'fresh' && !fixed ? null : place.kept,
        // Where all is given away anew nothing that is planned goes first.
        yields: place.yields && freedom === 'keep',
      };
    }),
  }));
  return { ...input, stages, closeness: freedom === 'keep' ? 'first' : 'last' };
}

/** Of all that a plan is made from, whoever reads it and whenever: the same only as long as nothing of it changed. */
export function inputHash(input: ProblemInput, overrides: readonly Override[]): string {
  const { elsewhere, ...own } = input;
  const facts = [own, own.rules?.elsewhere === 'never' ? elsewhere : null, sorted(overrides)];
  return createHash('sha256').update(JSON.stringify(facts, plain)).digest('base64url');
}

function sorted(overrides: readonly Override[]): Override[] {
  return [...overrides].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Why shifts are whose they are is not what a plan is made from. */
function plain(key: string, value: unknown): unknown {
  if (key === 'reason') return undefined;
  if (value instanceof Map) return [...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return value instanceof Set ? [...value].sort() : value;
}
