import type { Span } from '../schedules/plan/planner.ts';
import { joined } from '../schedules/plan/windows.ts';
import { type Place, partWithin } from './places.ts';

export type StageMember = { stage: number; userId: string; joinedAt: number };

/**
 * How many of a schedule's shifts, by person, came at times at which they were a member of the stage and not away: by
 * this the planner shares burdens out. Several shifts at the same time count once; of one that reaches beyond the
 * period the part within.
 */
export function presences(
  places: readonly Place[],
  members: readonly StageMember[],
  absences: ReadonlyMap<string, readonly Span[]>,
  period: Span,
): Map<string, number> {
  const times = [...Map.groupBy(places, ({ from }) => from).values()].map((same) => ({
    same,
    weight: Math.max(...same.map((place) => partWithin(place, period))),
  }));
  return new Map(
    [...Map.groupBy(members, ({ userId }) => userId)].map(([userId, stages]) => {
      const away = joined(absences.get(userId) ?? []);
      const isThere = (place: Place) =>
        stages.some(({ stage, joinedAt }) => stage === place.stage && place.to > joinedAt) &&
        !touches(away, place);
      let present = 0;
      for (const { same, weight } of times) if (weight > 0 && same.some(isThere)) present += weight;
      return [userId, present];
    }),
  );
}

/** Whether a time meets any of the spans, which ascend and lie apart. */
export function touches(spans: readonly Span[], { from, to }: Span): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.to ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const first = spans[low];
  return first !== undefined && first.from < to;
}
