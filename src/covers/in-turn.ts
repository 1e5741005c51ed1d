import { type Move, type Roster, shiftOf } from '../schedules/roster.ts';
import { type Hit, type Repair, smallestRepair } from './repair.ts';

/** One after the other, each taking into account whom those before would take. */
export function inTurn(roster: Roster, hits: readonly Hit[], at: number): (Repair | null)[] {
  let next = roster;
  return hits.map((hit) => {
    const repair = smallestRepair(next, hit, at);
    next = reserved(next, repair?.moves ?? []);
    return repair;
  });
}

/** Whoever would gain something is taken; whoever would lose it is not free before it happened. */
export function reserved(roster: Roster, moves: readonly Move[]): Roster {
  const taken = moves.map(({ gains, ...move }) => {
    const { stage, seat, from, to } = move;
    const shift = shiftOf(roster.stints, { stage, seat, from, to });
    return { stage, seat, from, to, userId: gains, shift, stands: true };
  });
  return { ...roster, stints: [...roster.stints, ...taken] };
}
