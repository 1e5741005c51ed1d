import { isDeepStrictEqual } from 'node:util';
import {
  overlap,
  type Place,
  type PlanInput,
  type PlannedShift,
  type Planner,
} from '../schedules/planner.ts';
import { isLess, markedShared, openedInput, tidied, uncoveredMs } from './opening.ts';

/** Limits the rounds; plans settle within two or three. */
const MOST_ROUNDS = 8;

/**
 * A strategy that cuts a shift that nobody can take as a whole, if this leaves less time uncovered. A gap that was
 * already published stays whole. The result is stable: once it is published, planning again changes nothing.
 */
export function sharing(planner: Planner): Planner {
  return {
    plan(input: PlanInput) {
      const whole = planner.plan(input);
      const known = new Set(
        input.stages.flatMap((stage) => stage.places.filter(({ wasGap }) => wasGap).map(keyOf)),
      );
      const gaps = whole.filter((shift) => shift.userId === null && !known.has(keyOf(shift)));
      const opened = gaps.length > 0 ? openedInput(asPublished(input, whole, false), gaps) : null;
      if (!opened) return whole;
      const pieces = tidied(planner.plan(opened), opened);
      if (!isLess(uncoveredMs(pieces), uncoveredMs(whole))) return whole;
      return settled(planner, input, markedShared(pieces, opened));
    },
  };
}

function settled(planner: Planner, input: PlanInput, first: PlannedShift[]): PlannedShift[] {
  let shifts = first;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const again = planner.plan(asPublished(input, shifts, true));
    if (isDeepStrictEqual(again, shifts)) break;
    shifts = again;
  }
  return shifts;
}

/** A seat has only one shift that ends at an instant. */
function keyOf({ stage, seat, to }: { stage: number; seat: number; to: number }): string {
  return `${stage} ${seat} ${to}`;
}

/** The input as if these shifts were published. `yielding`: filling a gap must not take anybody from another shift. */
function asPublished(input: PlanInput, shifts: readonly PlannedShift[], yielding: boolean): PlanInput {
  const bySeat = Map.groupBy(shifts, ({ stage, seat }) => `${stage} ${seat}`);
  const stages = input.stages.map((stage) => ({
    ...stage,
    places: stage.places.flatMap((place) =>
      (bySeat.get(`${place.stage} ${place.seat}`) ?? [])
        .filter((shift) => overlap({ from: place.from, to: place.to }, shift))
        .map((shift) => publishedPlace(place, shift, yielding)),
    ),
  }));
  return { ...input, stages };
}

function publishedPlace(place: Place, { from, to, userId, reason }: PlannedShift, yielding: boolean): Place {
  if (place.fixed) return place;
  return {
    ...place,
    ...{ from, to, gapFrom: from, servedFrom: Math.max(from, place.servedFrom) },
    ...(userId === null ? { kept: null, wasGap: true as const } : { kept: { userId, reason } }),
    ...(reason?.shared ? { shared: reason.shared } : {}),
    yields: place.yields || (yielding && userId === null),
  };
}
