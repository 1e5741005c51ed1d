import { type Move, type Roster, shiftOf } from '../schedules/roster.ts';
import { type Repair, smallestRepair, type Vacancy } from './repair.ts';

/** Repairs vacancies one after the other, each with the earlier repairs reserved. */
export function inTurn(roster: Roster, vacancies: readonly Vacancy[], at: number): (Repair | null)[] {
  let next = roster;
  return vacancies.map((vacancy) => {
    const repair = smallestRepair(next, vacancy, at);
    next = reserved(next, repair?.moves ?? []);
    return repair;
  });
}

/** Reserves the people who would gain something; those who would lose it are not free until it happens. */
export function reserved(roster: Roster, moves: readonly Move[]): Roster {
  const taken = moves.map(({ gains, ...move }) => {
    const { stage, seat, from, to } = move;
    const shift = shiftOf(roster.stints, { stage, seat, from, to });
    return { stage, seat, from, to, userId: gains, shift, stands: true };
  });
  return { ...roster, stints: [...roster.stints, ...taken] };
}
