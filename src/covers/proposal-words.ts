import { intersects } from '../kit/interval.ts';
import { locale, t, tIn } from '../language/contract.ts';
import { isSeat } from '../schedules/roster.ts';
import { stagePeriodText } from '../schedules/span-text.ts';
import type { StoredCover, StoredMove } from './store.ts';

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

/** `Lena is away in stage 1, Tue 1 Dec 09:00 to … (times in Europe/Berlin): Ada could take it.`, in one zone. */
export function coverSentence(
  cover: Proposed & Pick<StoredCover, 'state' | 'cause' | 'userId'>,
  names: Names,
): string {
  const values = {
    ...{ who: names.nameOf(cover.userId), period: stagePeriodText(cover, names.timeZone) },
    ...{ zone: names.timeZone, outcome: outcomeText(cover, names) },
  };
  return cover.cause === 'absence'
    ? t('{who} is away in {period} (times in {zone}): {outcome}', values)
    : t('{who} needs a replacement in {period} (times in {zone}): {outcome}', values);
}

/** The outcome of a cover: `Ada could take it if Lena takes stage 2, Mon 7 Dec 09:00 to ….` */
function outcomeText(cover: Proposed & Pick<StoredCover, 'state'>, names: Names): string {
  const takers = takersText(cover, names);
  const freed = freedText(cover, names);
  switch (cover.state) {
    case 'open':
      return tIn('a cover', 'no replacement is proposed.');
    case 'proposed':
      return freed === null
        ? tIn('a cover', '{takers} could take it.', { takers })
        : tIn('a cover', '{takers} could take it if {freed}.', { takers, freed });
    case 'taken':
      return freed === null
        ? tIn('a cover', '{takers} took it.', { takers })
        : tIn('a cover', '{takers} took it; {freed}.', { takers, freed });
    case 'applied':
      return freed === null
        ? tIn('a cover', 'On call instead: {takers}.', { takers })
        : tIn('a cover', 'On call instead: {takers}; {freed}.', { takers, freed });
    case 'withdrawn':
      return tIn('a cover', 'it is no longer needed.');
    case 'expired':
      return tIn('a cover', 'nobody took it.');
  }
}

/** `Lena takes stage 2, Mon 7 Dec 09:00 to …`, where the zone is named elsewhere; null if nothing else has to change hands. */
export function freedText(cover: Proposed, { nameOf, timeZone }: Names): string | null {
  const { freeing } = movesOf(cover);
  if (freeing.length === 0) return null;
  return list(
    freeing.map((move) =>
      t('{who} takes {period}', { who: nameOf(move.gains), period: stagePeriodText(move, timeZone) }),
    ),
  );
}

function list(names: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(names);
}
