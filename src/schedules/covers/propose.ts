import type { StoredCover, StoredMove, StoredProposal } from './cover-store.ts';
import { isHard, obstacles } from './obstacles.ts';
import { type Repair, smallestRepair, speaksAgainst } from './repair.ts';
import { after, holds, isSeat, type Move, type Roster, within } from './roster.ts';

/**
 * Whom to propose for each cover that nobody has, what is proposed already staying while it holds. What is proposed for
 * one is taken into account for the next: nobody is asked to be in two places.
 */
export function proposals(
  roster: Roster,
  covers: readonly StoredCover[],
  at: number,
): Map<string, StoredProposal | null> {
  const proposed = new Map<string, StoredProposal | null>();
  let next = roster;
  // What a person asked for goes before what was worked out.
  const asked = (cover: StoredCover) => Number(cover.proposal?.askedBy != null);
  for (const cover of covers.toSorted((a, b) => asked(b) - asked(a))) {
    if (!cover.proposal || !stillHolds(next, cover, at)) continue;
    proposed.set(cover.id, cover.proposal);
    next = reserved(next, cover.proposal.moves);
  }
  for (const cover of covers) {
    if (proposed.has(cover.id)) continue;
    const repair = smallestRepair(next, hitOf(cover, at), at);
    proposed.set(
      cover.id,
      repair && { ...repair, moves: repair.moves.map((move) => named(roster, move)), askedBy: null },
    );
    next = reserved(next, repair?.moves ?? []);
  }
  return proposed;
}

/** Whoever would gain something is taken; whoever would lose it is not free before it happened. */
function reserved(roster: Roster, moves: readonly Move[]): Roster {
  const taken = moves.map(({ stage, seat, from, to, gains }) => ({ stage, seat, from, to, userId: gains }));
  return { ...roster, stints: [...roster.stints, ...taken] };
}

function hitOf(cover: StoredCover, at: number) {
  const { stage, seat, from, to, userId, declinedBy } = cover;
  return { stage, seat, from: Math.max(from, at), to, userId, not: declinedBy };
}

/** Whether what was proposed can still happen. Who was asked in person may do without rest. */
export function stillHolds(roster: Roster, { proposal, declinedBy }: StoredCover, at: number): boolean {
  if (!proposal || proposal.moves.some(({ gains }) => declinedBy.includes(gains))) return false;
  const coming = movesFrom(proposal.moves, at);
  const result = after(roster, coming);
  return (
    coming.length > 0 &&
    coming.every((move) => {
      if (move.loses !== null && !holds(roster.stints, move.loses, move)) return false;
      const found = obstacles(result, move.gains, move);
      return proposal.askedBy === null ? !speaksAgainst(found) : !found.some(isHard);
    })
  );
}

/** The parts of moves that are not over. */
export function movesFrom(moves: readonly StoredMove[], at: number): StoredMove[] {
  return moves.flatMap((move) => within(move, { from: at, to: Number.POSITIVE_INFINITY }) ?? []);
}

function named(roster: Roster, move: Repair['moves'][number]): StoredMove {
  const holder = roster.stints.find((stint) => isSeat(stint, move) && within(stint, move) !== null);
  return { ...move, loses: holder?.userId ?? null };
}
