import { clip, type Interval, intersects } from '../../kit/interval.ts';
import { exceedsLimits, limitsOf } from '../limits.ts';
import { isStanding } from '../obstacles.ts';
import type { Hit } from '../repair.ts';
import { isSeat, type Roster, type Seated, type Stint, shiftOf, stintsOf } from '../roster.ts';

/** A stretch of the rota that may change hands; `hit` is set where it has to. */
export type Place = Seated & { userId: string; shift: number; hit: Hit | null };

/** `isAll`: no other stretch could matter, however many changes one allows. */
export type Reach = { places: Place[]; isAll: boolean };

/**
 * What may change hands so that hits are taken care of: themselves, whatever keeps somebody from taking one of them,
 * whatever keeps somebody from taking one of those, and so on, `depth` times.
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

/** Shifts that keep people from a place, and that may be given to others. */
function inTheWay(roster: Roster, place: Place, hits: readonly Hit[], at: number): Stint[] {
  return (roster.members.get(place.stage) ?? [])
    .filter((userId) => userId !== place.userId && !(place.hit?.not ?? []).includes(userId))
    .filter((userId) => !isAwayAllOf(roster, userId, place))
    .flatMap((userId) =>
      stintsOf(roster.stints, userId).filter(
        (stint) =>
          mayMove(roster, stint, hits, at) &&
          (isNear(roster, stint, place) || countsInstead(roster, userId, stint, place)),
      ),
    );
}

/** Whether somebody may have one of them only: the schedule allows no more shifts in that week or month. */
export function countsInstead(roster: Roster, userId: string, stint: Stint, gained: Seated): boolean {
  if (!exceedsLimits(roster, userId, gained)) return false;
  const [one, other] = [shiftOf(roster.stints, stint), shiftOf(roster.stints, gained)];
  return limitsOf(roster).some(({ periodOf }) => periodOf(one) === periodOf(other));
}

/** Whether somebody who has one of them cannot take the other. */
export function isNear(roster: Roster, stint: Seated, gained: Seated): boolean {
  if (intersects(stint, gained)) return true;
  const restMs = isStanding(roster, gained.stage) ? 0 : roster.restMs;
  return intersects({ from: stint.from - restMs, to: stint.to + restMs }, gained);
}

function isAwayAllOf(roster: Roster, userId: string, place: Interval): boolean {
  return (roster.absences.get(userId) ?? []).some(({ from, to }) => from <= place.from && place.to <= to);
}

/** Not what has begun, what people decided, what is to be taken care of itself, or what its person is away from. */
function mayMove(roster: Roster, stint: Stint, hits: readonly Hit[], at: number): boolean {
  if (stint.from <= at || stint.stands || stint.userId === null) return false;
  if (!roster.members.has(stint.stage)) return false;
  if (hits.some((hit) => isSeat(hit, stint) && clip(stint, hit) !== null)) return false;
  return !(roster.absences.get(stint.userId) ?? []).some((absence) => intersects(absence, stint));
}
