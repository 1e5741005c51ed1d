import { overlap, type Place, type PlannedShift, type Span, type StageInput } from '../planner.ts';
import type { ProblemInput } from './problem.ts';

/** Nobody is asked to come for less. */
const SHORTEST_MS = 3_600_000;
/** A shift is cut into so many pieces at most: where absences begin and end, the longest first. */
const MOST_PIECES = 16;

/** A place that is a piece of a longer one, which begins at `block`. */
export type Piece = Place & { block: number };

/**
 * The input with those places cut to pieces that nobody can have as a whole, where somebody comes or goes; null where
 * that would help nobody. `gaps`: what was left open.
 */
export function openedInput(input: ProblemInput, gaps: readonly PlannedShift[]): ProblemInput | null {
  const open = new Set(gaps.map(keyOf));
  let pieces = 0;
  const stages = input.stages.map((stage) => ({
    ...stage,
    places: stage.places.flatMap((place) => {
      if (place.fixed || place.parts || !open.has(keyOf(place))) return [place];
      const cut = piecesOf(place, stage, input);
      pieces += cut.length - 1;
      return cut;
    }),
  }));
  return pieces > 0 ? { ...input, stages } : null;
}

function piecesOf(place: Place, { members }: StageInput, input: ProblemInput): Piece[] {
  const span = { from: place.servedFrom, to: place.to };
  const busy = members.flatMap(({ userId }) => [
    ...(input.records.get(userId) ?? []).filter(({ type }) => type === 'hard_unavailable'),
    ...(input.rules?.elsewhere === 'never' ? (input.elsewhere?.get(userId) ?? []) : []),
    ...standing(input, userId),
  ]);
  const bounds = boundsOf(
    span,
    busy.filter((other) => overlap(other, span)),
  );
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? span.from;
    const isFirst = index === 0;
    return {
      ...place,
      block: (place.shared ?? place).from,
      shared: place.shared ?? { from: place.gapFrom, to: place.to },
      from: isFirst ? place.from : from,
      servedFrom: isFirst ? place.servedFrom : from,
      gapFrom: isFirst ? place.gapFrom : from,
      to,
      kept: null,
    };
  });
}

/** What somebody has whatever is decided, with the rest that they need around it. */
function standing({ stages, restMs }: ProblemInput, userId: string): Span[] {
  const held = stages.flatMap(({ past, places }) => [
    ...past.filter((shift) => shift.userId === userId),
    ...places.filter(({ fixed, kept }) => fixed && kept?.userId === userId),
  ]);
  return held.map(({ from, to }) => ({ from: from - restMs, to: to + restMs }));
}

function boundsOf({ from, to }: Span, busy: readonly Span[]): number[] {
  const inside = busy.flatMap((span) => [span.from, span.to]).filter((at) => at > from && at < to);
  const bounds = [from];
  for (const at of [...new Set(inside)].sort((a, b) => a - b))
    if (at - (bounds.at(-1) ?? from) >= SHORTEST_MS && to - at >= SHORTEST_MS && bounds.length < MOST_PIECES)
      bounds.push(at);
  return [...bounds, to];
}

type InBlock = Span & { stage: number; block: number | null; place: { seat: number } };

/** Whether two slots are pieces in a row of one shift. */
export function areTogether(a: InBlock, b: InBlock): boolean {
  return (
    a.block !== null &&
    a.block === b.block &&
    a.stage === b.stage &&
    a.place.seat === b.place.seat &&
    (a.to === b.from || b.to === a.from)
  );
}

/** Pieces of one place that the same person has, or nobody, are one shift again. */
export function joinedPieces<T extends PlannedShift>(shifts: readonly T[], input: ProblemInput): T[] {
  const blocks = new Map(
    input.stages.flatMap(({ places }) =>
      places.flatMap((place) => ('block' in place ? [[keyOf(place), (place as Piece).block] as const] : [])),
    ),
  );
  const whole: T[] = [];
  for (const shift of shifts) {
    const before = whole.findLast(({ stage, seat }) => stage === shift.stage && seat === shift.seat);
    const [block, other] = [blocks.get(keyOf(shift)), before && blocks.get(keyOf(before))];
    const isSame = block !== undefined && block === other && before?.userId === shift.userId;
    if (!isSame || before?.to !== shift.from) whole.push({ ...shift });
    else {
      blocks.set(keyOf({ ...before, to: shift.to }), block);
      before.to = shift.to;
    }
  }
  return whole;
}

/** Says with each piece of a shift which one that is, so that it is known as such when it is planned again. */
export function markedShared<T extends PlannedShift>(shifts: readonly T[], { stages }: ProblemInput): T[] {
  const places = stages.flatMap((stage) => stage.places.filter(({ shared }) => shared));
  return shifts.map((shift) => {
    const place = places.find(
      ({ stage, seat, to }) => stage === shift.stage && seat === shift.seat && to === shift.to,
    );
    const { shared } = place ?? {};
    const { reason } = shift;
    const isWhole = shared?.from === shift.from && shared.to === shift.to;
    if (!shared || !reason) return shift;
    const { shared: _, ...rest } = reason;
    return { ...shift, reason: isWhole ? rest : { ...rest, shared } };
  });
}

/** What nobody has, in milliseconds by stage, the lowest first. */
export function uncoveredMs(shifts: readonly PlannedShift[]): number[] {
  const stages = [...new Set(shifts.map(({ stage }) => stage))].sort((a, b) => a - b);
  return stages.map((stage) =>
    shifts
      .filter((shift) => shift.stage === stage && shift.userId === null)
      .reduce((sum, { from, to }) => sum + to - from, 0),
  );
}

export function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}

/** Somebody may do several pieces of one shift, but not with a pause that is too short between: that piece is given back. */
export function withoutShortPauses<T extends PlannedShift>(shifts: readonly T[], input: ProblemInput): T[] {
  const held = Map.groupBy(shifts, ({ userId }) => userId);
  const given = new Set<T>();
  for (const [userId, own] of held) {
    if (userId === null) continue;
    const sorted = own.toSorted((a, b) => a.from - b.from);
    for (const [index, shift] of sorted.entries()) {
      const before = sorted.slice(0, index).findLast((one) => !given.has(one));
      const isTogether = before && before.to === shift.from;
      if (!before || isTogether || !isPiece(shift, input) || !isPiece(before, input)) continue;
      if (shift.from - before.to < input.restMs)
        given.add(shift.to - shift.from < before.to - before.from ? shift : before);
    }
  }
  return shifts.map((shift) => (given.has(shift) ? { ...shift, userId: null } : shift));
}

function isPiece(shift: PlannedShift, { stages }: ProblemInput): boolean {
  return stages.some(({ places }) =>
    places.some(
      (place) =>
        'block' in place && place.stage === shift.stage && place.seat === shift.seat && overlap(place, shift),
    ),
  );
}

function keyOf({ stage, seat, to }: { stage: number; seat: number; to: number }): string {
  return `${stage} ${seat} ${to}`;
}
