import { intersects } from '../kit/interval.ts';
import { isSeat } from '../schedules/roster.ts';
import { spanText } from '../schedules/span-text.ts';
import type { StoredCover, StoredMove } from './cover-store.ts';

export type Names = { nameOf(userId: string | null): string; timeZone: string };

type Proposed = Pick<StoredCover, 'stage' | 'seat' | 'from' | 'to'> & {
  proposal: { moves: StoredMove[] } | null;
};

/** The moves that give away the cover's own shift or parts of it, and those that free somebody for it. */
export function movesOf(cover: Proposed): { own: StoredMove[]; freeing: StoredMove[] } {
  const moves = cover.proposal?.moves ?? [];
  const own = moves.filter((move) => isOn(move, cover));
  return { own, freeing: moves.filter((move) => !own.includes(move)) };
}

/** Whether it gives away the shift itself, or a part of it. */
export function isOn(move: StoredMove, cover: Proposed): boolean {
  return isSeat(move, cover) && intersects(move, cover);
}

/** `Ada and Grace`: those who have the cover's shift by its proposal, each once. */
export function takersText(cover: Proposed, { nameOf }: Names): string {
  return list([...new Set(movesOf(cover).own.map(({ gains }) => nameOf(gains)))]);
}

/** What else has to change hands for it: ` if Lena takes stage 2, Mon 7 Dec 09:00 to …`; empty when nothing has. */
export function ifText(cover: Proposed, names: Names): string {
  const { freeing } = movesOf(cover);
  return freeing.length === 0 ? '' : ` if ${freedText(freeing, names)}`;
}

/** The same once it is so: `; Lena takes stage 2, Mon 7 Dec 09:00 to …`. */
export function whileText(cover: Proposed, names: Names): string {
  const { freeing } = movesOf(cover);
  return freeing.length === 0 ? '' : `; ${freedText(freeing, names)}`;
}

function freedText(moves: readonly StoredMove[], { nameOf, timeZone }: Names): string {
  return list(
    moves.map((move) => `${nameOf(move.gains)} takes stage ${move.stage}, ${spanText(move, timeZone)}`),
  );
}

function list(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}
