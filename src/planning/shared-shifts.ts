import type { Interval } from '../kit/interval.ts';
import type { PlannedShift } from '../schedules/planner.ts';

/** A shift that several people share because nobody could take all of it; its pieces in order of time. */
export type SharedShift = Interval & { pieces: readonly PlannedShift[] };

/** The shared shifts of one seat, recognized by the reasons of their pieces. */
export function sharedShifts(planned: readonly PlannedShift[]): SharedShift[] {
  const pieces = planned.filter(({ reason }) => reason?.shared);
  const groups = Map.groupBy(pieces, ({ reason }) => `${reason?.shared?.from} ${reason?.shared?.to}`);
  return [...groups.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.from - b.from);
    const [first, last] = [sorted[0], sorted.at(-1)];
    const isWhole = sorted.every((piece, at) => at === 0 || piece.from === sorted[at - 1]?.to);
    return first && last && isWhole ? [{ from: first.from, to: last.to, pieces: sorted }] : [];
  });
}

/** The shifts of a seat, with each shared shift as one shift without a person. */
export function withWholes(planned: readonly PlannedShift[], shared: readonly SharedShift[]): PlannedShift[] {
  const pieces = new Set(shared.flatMap((one) => one.pieces));
  const wholes = shared.flatMap(({ from, to, pieces: [first] }) =>
    first ? [{ stage: first.stage, seat: first.seat, from, to, userId: null, reason: null }] : [],
  );
  return [...planned.filter((shift) => !pieces.has(shift)), ...wholes].sort((a, b) => a.from - b.from);
}
