import { clip, type Interval } from '../../kit/interval.ts';
import { countsInstead, excludes, isAwayFor } from '../../schedules/eligibility.ts';
import { isSeat, type Roster, type Seated, type Stint, shiftOf, stintsOf } from '../../schedules/roster.ts';
import type { Hit } from '../repair.ts';

/** A stretch of a shift that may change hands; `hit` is set if it has to. */
export type Place = Seated & { userId: string; shift: number; hit: Hit | null };

/** `isAll`: no other stretch could matter, however many changes are allowed. */
export type Reach = { places: Place[]; isAll: boolean };

/**
 * What may change hands to repair some hits: the hits, the shifts that keep people from taking a hit, the shifts that
 * keep people from taking those, and so on, `depth` times.
 */
export function reachOf(roster: Roster, hits: readonly Hit[], at: number, depth: number): Reach {
  const places = hits.map(
    ({ stage, seat, from, to, userId }, index): Place => ({
      ...{ stage, seat, from, to, userId, hit: hits[index] ?? null },
      shift: shiftOf(roster.stints, { stage, seat, from, to }),
    }),
  );
  const known = new Set<Stint>();
  let frontier: readonly Place[] = places;
  for (let step = 0; step < depth; step++) {
    const next = frontier.flatMap((place) =>
      inTheWay(roster, place, hits, at).filter((one) => !known.has(one)),
    );
    frontier = [...new Set(next)].map((stint) => {
      known.add(stint);
      const { stage, seat, from, to, shift = from } = stint;
      return { stage, seat, from, to, shift, userId: stint.userId ?? '', hit: null };
    });
    places.push(...frontier);
  }
  const isAll = frontier.every((place) =>
    inTheWay(roster, place, hits, at).every((stint) => known.has(stint)),
  );
  return {
    places: places.toSorted((a, b) => a.from - b.from || a.stage - b.stage || a.seat - b.seat),
    isAll,
  };
}

/** Shifts that keep people from taking a place and may be given to others. */
function inTheWay(roster: Roster, place: Place, hits: readonly Hit[], at: number): Stint[] {
  return (roster.members.get(place.stage) ?? [])
    .filter((userId) => userId !== place.userId && !(place.hit?.not ?? []).includes(userId))
    .filter((userId) => !isAwayAllOf(roster, userId, place))
    .flatMap((userId) =>
      stintsOf(roster.stints, userId).filter(
        (stint) =>
          mayMove(roster, stint, hits, at) &&
          (excludes(roster, stint, place) || countsInstead(roster, userId, stint, place)),
      ),
    );
}

function isAwayAllOf(roster: Roster, userId: string, place: Interval): boolean {
  return (roster.absences.get(userId) ?? []).some(({ from, to }) => from <= place.from && place.to <= to);
}

/** Whether a shift may move: not if it is running, decided by people, hit itself, or its person is absent. */
function mayMove(roster: Roster, stint: Stint, hits: readonly Hit[], at: number): boolean {
  if (stint.from <= at || stint.stands || stint.userId === null) return false;
  if (!roster.members.has(stint.stage)) return false;
  if (hits.some((hit) => isSeat(hit, stint) && clip(stint, hit) !== null)) return false;
  return !isAwayFor(roster.absences.get(stint.userId) ?? [], stint);
}
