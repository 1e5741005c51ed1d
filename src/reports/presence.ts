import { highestOf } from '../kit/extremes.ts';
import { type Interval, intersectsAny, union } from '../kit/interval.ts';
import { couldHave } from '../schedules/ledger.ts';
import { stintOf } from '../schedules/planned-shifts.ts';
import type { AvailabilityRecord, Member } from '../schedules/planner.ts';
import { shareAt, WHOLE_SHARE } from '../schedules/rules.ts';
import { partWithin, type WholeShift } from './whole-shifts.ts';

/** `seats`: the first and last seat of the layer of a member. */
export type StageMember = Member & { stage: number; seats?: readonly [number, number] };

/**
 * How many of a schedule's shifts fell, for each person, into times at which they were a member of the stage and not away.
 * The planner shares the load in this proportion. A person with a part of a share counts for that part. Several shifts at the same time count once, and only the part of a shift
 * within the period counts.
 */
export function presences(
  places: readonly WholeShift[],
  members: readonly StageMember[],
  { records, smallAbsenceMs }: Absences,
  period: Interval,
): Map<string, number> {
  const shares = new Map(members.map(({ userId, share }) => [userId, share]));
  const times = [...Map.groupBy(places, ({ from }) => from).values()].map((same) => ({
    same,
    weight: highestOf(same.map((place) => partWithin(place, period))),
  }));
  return new Map(
    [...Map.groupBy(members, ({ userId }) => userId)].map(([userId, stages]) => {
      const own = records.get(userId) ?? [];
      const away = union(own);
      // Most shifts overlap no absence. For the others, the missed part has to be calculated.
      const isThere = (place: WholeShift) =>
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
      for (const { same, weight } of times)
        if (weight > 0 && same.some(isThere))
          present += (weight * shareAt(shares.get(userId), same[0]?.from ?? 0)) / WHOLE_SHARE;
      return [userId, present];
    }),
  );
}

/** Records by person. An absence of at most `smallAbsenceMs` does not exclude a person from a shift. */
export type Absences = {
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  smallAbsenceMs: number;
};

function isOf({ stage, seats }: StageMember, place: WholeShift): boolean {
  if (stage !== place.stage) return false;
  const [first, last] = seats ?? [1, place.seat];
  return first <= place.seat && place.seat <= last;
}
