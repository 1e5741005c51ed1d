import { isDeepStrictEqual } from 'node:util';
import { highestOf } from '../kit/extremes.ts';
import type { ShiftPiece } from './overlay.ts';

/** A piece that is stored as a row. */
export type ShiftRow = ShiftPiece & { id: string };

/** The changes that turn the rows into the pieces; in this order, nothing overlaps in between. */
export type Difference = { removed: ShiftRow[]; changed: ShiftRow[]; added: ShiftPiece[] };

/**
 * Compares rows with the wanted pieces from `at` on. Past rows are left alone; of a running row, only the part after
 * `at` may change. A row that stays keeps its id, even if its person or its end changes.
 */
export function differenceOf(
  rows: readonly ShiftRow[],
  pieces: readonly ShiftPiece[],
  at: number,
): Difference {
  const difference: Difference = { removed: [], changed: [], added: [] };
  const rowsBySeat = Map.groupBy(rows, seatKey);
  const piecesBySeat = Map.groupBy(pieces, seatKey);
  for (const key of new Set([...rowsBySeat.keys(), ...piecesBySeat.keys()]))
    compareSeat(rowsBySeat.get(key) ?? [], piecesBySeat.get(key) ?? [], at, difference);
  return difference;
}

function seatKey({ stage, seat }: ShiftPiece): string {
  return `${stage} ${seat}`;
}

function compareSeat(
  rows: readonly ShiftRow[],
  pieces: readonly ShiftPiece[],
  at: number,
  difference: Difference,
): void {
  const running = rows.find(({ from, to }) => from < at && at < to);
  const over = highestOf(rows.map(({ to }) => to).filter((to) => to <= at));
  const wanted = pieces.filter(({ to }) => to > at).map((piece) => begin(piece, running, over, at));
  const future = new Map(rows.filter(({ from }) => from >= at).map((row) => [row.from, row]));
  if (running && !wanted.some(({ from }) => from === running.from))
    difference.changed.push(cutOff(running, wanted, at));
  for (const piece of wanted) {
    const row = piece.from === running?.from ? running : future.get(piece.from);
    future.delete(piece.from);
    if (!row) difference.added.push(piece);
    else if (!isSame(row, piece)) difference.changed.push({ ...piece, id: row.id });
  }
  for (const row of future.values()) difference.removed.push(row);
}

/** Where a running piece begins: at the start of the row that it continues, and never before the end of past rows. */
function begin(piece: ShiftPiece, running: ShiftRow | undefined, over: number, at: number): ShiftPiece {
  if (piece.from >= at) return piece;
  if (!running) return { ...piece, from: Math.max(piece.from, over) };
  return { ...piece, from: goesOn(running, piece) ? running.from : at };
}

function goesOn(row: ShiftRow, piece: ShiftPiece): boolean {
  return (
    row.userId === piece.userId &&
    row.plannedUserId === piece.plannedUserId &&
    row.overrideId === piece.overrideId &&
    (row.planned === null || row.planned.from === piece.planned?.from)
  );
}

/** Ends the running row at `at`, and its planned shift as well unless another piece of it follows. */
function cutOff(row: ShiftRow, wanted: readonly ShiftPiece[], at: number): ShiftRow {
  const isPieceOfTheSame = wanted.some((piece) => piece.planned && piece.planned.from === row.planned?.from);
  const planned = row.planned && !isPieceOfTheSame ? { ...row.planned, to: at } : row.planned;
  return { ...row, to: at, planned };
}

function isSame(row: ShiftRow, piece: ShiftPiece): boolean {
  return (
    row.to === piece.to &&
    row.userId === piece.userId &&
    row.plannedUserId === piece.plannedUserId &&
    row.overrideId === piece.overrideId &&
    row.planned?.from === piece.planned?.from &&
    row.planned?.to === piece.planned?.to &&
    isDeepStrictEqual(row.reason, piece.reason)
  );
}
