import { type Move, type Roster, shiftOf } from '../schedules/roster.ts';
import { type Hit, type Repair, smallestRepair } from './repair.ts';

/** Repairs hits one after the other, each with the earlier repairs reserved. */
export function inTurn(roster: Roster, hits: readonly Hit[], at: number): (Repair | null)[] {
  let next = roster;
  return hits.map((hit) => {
    const repair = smallestRepair(next, hit, at);
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
