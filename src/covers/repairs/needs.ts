import { clip, intersects } from '../../kit/interval.ts';
import { countsInstead, excludes } from '../../schedules/eligibility.ts';
import { isSeat, type Move, othersApart, type Roster, stintsOf } from '../../schedules/roster.ts';
import type { Vacancy } from '../repair.ts';

/**
 * The subset of some moves that one vacancy needs: the person who takes it, the person who takes that person's shift,
 * and so on. The subset is possible without the other moves. Moves that have to happen first come first.
 */
export function changesFor(roster: Roster, vacancy: Vacancy, moves: readonly Move[]): Move[] {
  const needed = new Set(moves.filter((move) => isSeat(move, vacancy) && intersects(move, vacancy)));
  for (const move of needed) {
    for (const { stint } of othersApart(roster, move.gains, move))
      for (const other of moves) {
        const given = isSeat(other, stint) ? clip(stint, other) : null;
        if (given && intersects(given, move)) needed.add(other);
      }
    for (const stint of stintsOf(roster.stints, move.gains)) {
      if (isSeat(stint, move) && intersects(stint, move)) continue;
      for (const other of moves) {
        const given = isSeat(other, stint) ? clip(stint, other) : null;
        if (!given) continue;
        if (excludes(roster, given, move) || countsInstead(roster, move.gains, stint, move))
          needed.add(other);
      }
    }
  }
  return [...needed].toReversed();
}
