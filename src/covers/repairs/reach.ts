import { clip, type Interval } from '../../kit/interval.ts';
import { countsInstead, excludes, goneOn, isAwayFor } from '../../schedules/eligibility.ts';
import {
  isSeat,
  othersApart,
  type Roster,
  type Seated,
  type Stint,
  shiftOf,
  stintsOf,
} from '../../schedules/roster.ts';
import type { Vacancy } from '../repair.ts';

/** A part of a shift that may change hands; `vacancy` is set if it has to. */
export type Stretch = Seated & { userId: string; shift: number; vacancy: Vacancy | null };

/** `isAll`: no other stretch could matter, however many changes are allowed. */
export type Reach = { stretches: Stretch[]; isAll: boolean };

/**
 * The stretches that may change hands to repair some vacancies: the vacancies, the shifts that keep people from taking
 * them, the shifts that keep people from taking those, and so on, `depth` times.
 */
export function reachOf(roster: Roster, vacancies: readonly Vacancy[], at: number, depth: number): Reach {
  const stretches = vacancies.map(
    ({ stage, seat, from, to, userId }, index): Stretch => ({
      ...{ stage, seat, from, to, userId, vacancy: vacancies[index] ?? null },
      shift: shiftOf(roster.stints, { stage, seat, from, to }),
    }),
  );
  const known = new Set<Stint>();
  let frontier: readonly Stretch[] = stretches;
  for (let step = 0; step < depth; step++) {
    const next = frontier.flatMap((stretch) =>
      inTheWay(roster, stretch, vacancies, at).filter((one) => !known.has(one)),
    );
    frontier = [...new Set(next)].map((stint) => {
      known.add(stint);
      const { stage, seat, from, to, shift = from } = stint;
      return { stage, seat, from, to, shift, userId: stint.userId ?? '', vacancy: null };
    });
    stretches.push(...frontier);
  }
  const isAll = frontier.every((stretch) =>
    inTheWay(roster, stretch, vacancies, at).every((stint) => known.has(stint)),
  );
  return {
    stretches: stretches.toSorted((a, b) => a.from - b.from || a.stage - b.stage || a.seat - b.seat),
    isAll,
  };
}

/** Shifts that keep people from taking a stretch and may be given to others. */
function inTheWay(roster: Roster, stretch: Stretch, vacancies: readonly Vacancy[], at: number): Stint[] {
  return (roster.members.get(stretch.stage) ?? [])
    .filter((userId) => userId !== stretch.userId && !(stretch.vacancy?.not ?? []).includes(userId))
    .filter((userId) => !isAwayAllOf(roster, userId, stretch))
    .flatMap((userId) => [
      ...stintsOf(roster.stints, userId).filter(
        (stint) => excludes(roster, stint, stretch) || countsInstead(roster, userId, stint, stretch),
      ),
      ...othersApart(roster, userId, stretch).map(({ stint }) => stint),
    ])
    .filter((stint) => mayMove(roster, stint, vacancies, at));
}

function isAwayAllOf(roster: Roster, userId: string, stretch: Interval): boolean {
  return goneOn(roster, userId).some(({ from, to }) => from <= stretch.from && stretch.to <= to);
}

/** Whether a shift may move: not if it is running, decided by people, vacant itself, or its person is absent. */
function mayMove(roster: Roster, stint: Stint, vacancies: readonly Vacancy[], at: number): boolean {
  if (stint.from <= at || stint.stands || stint.userId === null) return false;
  if (!roster.members.has(stint.stage)) return false;
  if (vacancies.some((vacancy) => isSeat(vacancy, stint) && clip(stint, vacancy) !== null)) return false;
  return !isAwayFor(roster.absences.get(stint.userId) ?? [], stint);
}
