import { type Interval, intersectsAny, union } from '../kit/interval.ts';
import { couldHave } from '../schedules/ledger.ts';
import { stintOf } from '../schedules/planned-shifts.ts';
import type { AvailabilityRecord, Member } from '../schedules/planner.ts';
import { type Place, partWithin } from './places.ts';

/** `seats`: of a member of a layer, its first and last seat. */
export type StageMember = Member & { stage: number; seats?: readonly [number, number] };

/**
 * How many of a schedule's shifts, by person, came at times at which they were a member of the stage and not away: by
 * this the planner shares burdens out. Several shifts at the same time count once; of one that reaches beyond the
 * period the part within.
 */
export function presences(
  places: readonly Place[],
  members: readonly StageMember[],
  { records, smallAbsenceMs }: Absences,
  period: Interval,
): Map<string, number> {
  const times = [...Map.groupBy(places, ({ from }) => from).values()].map((same) => ({
    same,
    weight: Math.max(...same.map((place) => partWithin(place, period))),
  }));
  return new Map(
    [...Map.groupBy(members, ({ userId }) => userId)].map(([userId, stages]) => {
      const own = records.get(userId) ?? [];
      const away = union(own);
      // Most shifts overlap no absence; only for the others does it matter how much of them is missed.
      const isThere = (place: Place) =>
        stages.some(
          (member) =>
            isOf(member, place) &&
            couldHave(
              member,
              stintOf(place, place.pieces),
              intersectsAny(away, place) ? own : [],
              smallAbsenceMs,
            ),
        );
      let present = 0;
      for (const { same, weight } of times) if (weight > 0 && same.some(isThere)) present += weight;
      return [userId, present];
    }),
  );
}

/** Records by person. Nobody loses a shift for an absence of at most `smallAbsenceMs`. */
export type Absences = {
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  smallAbsenceMs: number;
};

function isOf({ stage, seats }: StageMember, place: Place): boolean {
  if (stage !== place.stage) return false;
  const [first, last] = seats ?? [1, place.seat];
  return first <= place.seat && place.seat <= last;
}
