import { intersects } from '../kit/interval.ts';
import { locale, t } from '../language/contract.ts';
import { isSeat } from '../schedules/roster.ts';
import { spanText } from '../schedules/span-text.ts';
import type { StoredCover, StoredMove } from './cover-store.ts';

export type Names = { nameOf(userId: string | null): string; timeZone: string };

type Proposed = Pick<StoredCover, 'stage' | 'seat' | 'from' | 'to'> & {
  proposal: { moves: StoredMove[] } | null;
};

/** `own`: moves of the cover's shift; `freeing`: moves that free people to take it. */
export function movesOf(cover: Proposed): { own: StoredMove[]; freeing: StoredMove[] } {
  const moves = cover.proposal?.moves ?? [];
  const own = moves.filter((move) => isOn(move, cover));
  return { own, freeing: moves.filter((move) => !own.includes(move)) };
}

/** Whether a move gives away the cover's shift or a part of it. */
export function isOn(move: StoredMove, cover: Proposed): boolean {
  return isSeat(move, cover) && intersects(move, cover);
}

/** `Ada and Grace`: the people who would take the cover's shift, each once. */
export function takersText(cover: Proposed, { nameOf }: Names): string {
  return list([...new Set(movesOf(cover).own.map(({ gains }) => nameOf(gains)))]);
}

/** What else has to change hands: ` if Lena takes stage 2, Mon 7 Dec 09:00 to …`; empty if nothing. */
export function ifText(cover: Proposed, names: Names): string {
  const freed = freedText(cover, names);
  return freed === null ? '' : ` if ${freed}`;
}

/** What else changed hands: `; Lena takes stage 2, Mon 7 Dec 09:00 to …`; empty if nothing. */
export function whileText(cover: Proposed, names: Names): string {
  const freed = freedText(cover, names);
  return freed === null ? '' : `; ${freed}`;
}

/** `Lena takes stage 2, Mon 7 Dec 09:00 to …`; null if nothing else has to change hands. */
export function freedText(cover: Proposed, { nameOf, timeZone }: Names): string | null {
  const { freeing } = movesOf(cover);
  if (freeing.length === 0) return null;
  return list(
    freeing.map((move) =>
      t('{who} takes stage {stage}, {span}', {
        ...{ who: nameOf(move.gains), stage: move.stage },
        span: spanText(move, timeZone),
      }),
    ),
  );
}

function list(names: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(names);
}
