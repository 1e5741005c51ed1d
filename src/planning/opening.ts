import type { Interval } from '../kit/interval.ts';
import { apartFrom } from '../schedules/apart.ts';
import { companionsOf, timesAlone } from '../schedules/companions.ts';
import { isAllTaken } from '../schedules/ledger.ts';
import {
  lengthOf,
  overlap,
  type Place,
  type PlanInput,
  type PlannedShift,
  type StageInput,
  type Stint,
  served,
} from '../schedules/planner.ts';
import { limitsOfPerson, type PlanRules } from '../schedules/rules.ts';
import { type Duties, fixedDuties } from './duties.ts';
import type { ProblemInput } from './solver/problem.ts';

/** The shortest piece of a shift worth assigning, where the person could stay longer. */
const SHORTEST_MS = 3_600_000;
/** A shift is cut into at most this many pieces, at the starts and ends of absences. */
const MOST_PIECES = 48;

type OpenInput = PlanInput & Pick<ProblemInput, 'rules'>;

/**
 * Opens the places that nobody can take as a whole: cuts them into pieces, at the times when a member becomes available
 * or unavailable, or leaves the past part out of a running one. `gaps`: the shifts that were left open.
 * @returns null if there was nothing to open
 */
export function openedInput<T extends OpenInput>(input: T, gaps: readonly PlannedShift[]): T | null {
  const open = new Set(gaps.map(keyOf));
  const duties = fixedDuties(input);
  let opened = 0;
  const stages = input.stages.map((stage) => ({
    ...stage,
    places: stage.places.flatMap((place) => {
      if (place.fixed || !open.has(keyOf(place)) || isAllTaken(place)) return [place];
      const pieces = place.parts ? [place] : piecesOf(place, stage, input, duties);
      opened += pieces.length - 1;
      if (pieces.length > 1) return pieces;
      if (place.from < place.servedFrom) {
        // As when it is planned again, only the time from now on counts.
        opened++;
        return [{ ...place, ...served(place) }];
      }
      // A shift that is not cut stays a whole one.
      return place.shared ? pieces : [place];
    }),
  }));
  return opened > 0 ? { ...input, stages } : null;
}

function piecesOf(place: Place, { members }: StageInput, input: OpenInput, duties: Duties): Place[] {
  const span = { from: place.servedFrom, to: place.to };
  const busy = members.flatMap(({ userId }) => [
    ...(input.records.get(userId) ?? []).filter(({ type }) => type === 'hard_unavailable'),
    ...(input.rules?.elsewhere === 'never' ? (input.elsewhere?.get(userId) ?? []) : []),
    ...withRest(duties, userId, input),
    ...ofPeopleApart(duties, userId),
    ...companionsOf(input.onlyWith ?? [], userId).flatMap((others) =>
      others.flatMap((other) => duties.of(other)),
    ),
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
      pieceOf: `${place.seat} ${(place.shared ?? place).from}`,
      shared: place.shared ?? { from: place.gapFrom, to: place.to },
      from: isFirst ? place.from : from,
      servedFrom: isFirst ? place.servedFrom : from,
      gapFrom: isFirst ? place.gapFrom : from,
      to,
      kept: null,
    };
  });
}

/** The duties of a person that the plan cannot change, with the rest required around them. */
function withRest(duties: Duties, userId: string, { restMs }: PlanInput): Interval[] {
  return [
    ...duties.of(userId).map(({ from, to }) => ({ from: from - restMs, to: to + restMs })),
    ...duties.givenBy(userId),
  ];
}

/** Times when people who may not be on call together with a person are on call regardless of the plan. */
function ofPeopleApart(duties: Duties, userId: string): Interval[] {
  return apartFrom(duties.apart, userId).flatMap((other) => duties.of(other));
}

function boundsOf({ from, to }: Interval, busy: readonly Interval[]): number[] {
  const inside = busy.flatMap((span) => [span.from, span.to]).filter((at) => at > from && at < to);
  const cuts = [...new Set(inside)].sort((a, b) => a - b).slice(0, MOST_PIECES - 1);
  return [from, ...cuts, to];
}

type InBlock = Interval & { stage: number; block: string | null; place: { seat: number } };

/** Whether two slots are consecutive pieces of one shift. */
export function areTogether(a: InBlock, b: InBlock): boolean {
  return (
    a.block !== null &&
    a.block === b.block &&
    a.stage === b.stage &&
    a.place.seat === b.place.seat &&
    (a.to === b.from || b.to === a.from)
  );
}

/** Joins consecutive pieces of a place that have the same person, or nobody, into one shift. */
function joinedPieces<T extends PlannedShift>(shifts: readonly T[], input: PlanInput): T[] {
  const blocks = new Map(
    input.stages.flatMap(({ places }) =>
      places.flatMap((place) =>
        place.pieceOf === undefined ? [] : [[keyOf(place), place.pieceOf] as const],
      ),
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

/** Records in each piece which whole shift it belongs to, so that the next planning run recognizes it. */
export function markedShared<T extends PlannedShift>(shifts: readonly T[], { stages }: PlanInput): T[] {
  const places = stages.flatMap((stage) => stage.places.filter(({ shared }) => shared));
  return shifts.map((shift) => {
    const place = places.find((one) => isSeat(one, shift) && overlap(one, shift));
    const { shared } = place ?? {};
    const { reason } = shift;
    const isWhole = shared?.from === shift.from && shared.to === shift.to;
    if (!shared || !reason) return shift;
    const { shared: _, ...rest } = reason;
    return { ...shift, reason: isWhole ? rest : { ...rest, shared } };
  });
}

/** Uncovered time in milliseconds by stage, lowest stage first; with hours, only those. */
export function uncoveredMs(shifts: readonly PlannedShift[]): number[] {
  const stages = [...new Set(shifts.map(({ stage }) => stage))].sort((a, b) => a - b);
  return stages.map((stage) =>
    shifts
      .filter((shift) => shift.stage === stage && shift.userId === null)
      .reduce((sum, shift) => sum + lengthOf(shift), 0),
  );
}

export function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}

/**
 * A person may have several pieces of a shift. If the pause between two of them is too short, unassigns the shorter
 * one.
 */
function withoutShortPauses<T extends PlannedShift>(shifts: readonly T[], input: PlanInput): T[] {
  const alwaysOn = new Set(
    input.stages.filter(({ members, seats }) => members.length <= seats).map(({ stage }) => stage),
  );
  const held = Map.groupBy(shifts, ({ userId }) => userId);
  const given = new Set<T>();
  for (const [userId, own] of held) {
    if (userId === null) continue;
    const sorted = own.toSorted((a, b) => a.from - b.from);
    for (const [index, shift] of sorted.entries()) {
      const before = sorted.slice(0, index).findLast((one) => !given.has(one));
      const isTogether = before && before.to === shift.from;
      if (!before || isTogether || (alwaysOn.has(shift.stage) && before.stage === shift.stage)) continue;
      if (!isPiece(shift, input) || !isPiece(before, input)) continue;
      if (shift.from - before.to < input.restMs)
        given.add(shift.to - shift.from < before.to - before.from ? shift : before);
    }
  }
  return shifts.map((shift) => (given.has(shift) ? { ...shift, userId: null } : shift));
}

function isPiece(shift: PlannedShift, { stages }: PlanInput): boolean {
  return stages.some(({ places }) =>
    places.some(
      (place) =>
        place.pieceOf !== undefined &&
        place.stage === shift.stage &&
        place.seat === shift.seat &&
        overlap(place, shift),
    ),
  );
}

/**
 * Extends pieces of shared shifts that are shorter than an hour, later or earlier, at the expense of the adjacent
 * piece. A piece that cannot be extended stays as it is, because nobody else could take it.
 */
function widenedPieces<T extends PlannedShift>(shifts: readonly T[], input: OpenInput): T[] {
  const places = input.stages.flatMap((stage) => stage.places.filter(({ pieceOf }) => pieceOf !== undefined));
  const duties = fixedDuties(input);
  const result = shifts.map((shift) => ({ ...shift }));
  for (const short of result) {
    if (short.userId === null || durationOf(short) === 0 || durationOf(short) >= SHORTEST_MS) continue;
    const block = blockOf(places, short);
    if (block === null) continue;
    const own = result.filter(
      (other) => other !== short && blockOf(places, other) === block && isSeat(other, short),
    );
    const missing = SHORTEST_MS - durationOf(short);
    const [after, before] = [
      own.find(({ from }) => from === short.to),
      own.find(({ to }) => to === short.from),
    ];
    if (
      after &&
      gives(after, missing) &&
      isFree(short, { from: short.to, to: short.to + missing }, result, input, duties)
    ) {
      short.to += missing;
      after.from += missing;
    } else if (
      before &&
      gives(before, missing) &&
      isFree(short, { from: short.from - missing, to: short.from }, result, input, duties)
    ) {
      short.from -= missing;
      before.to -= missing;
    }
  }
  return result;
}

function durationOf({ from, to }: Interval): number {
  return to - from;
}

type Seated = { stage: number; seat: number };

function isSeat(a: Seated, b: Seated): boolean {
  return a.stage === b.stage && a.seat === b.seat;
}

function blockOf(places: readonly Place[], shift: PlannedShift): string | null {
  return places.find((place) => isSeat(place, shift) && overlap(place, shift))?.pieceOf ?? null;
}

/** Whether the adjacent piece stays long enough without that time. */
function gives(neighbour: PlannedShift, missing: number): boolean {
  return durationOf(neighbour) - missing >= (neighbour.userId === null ? 1 : SHORTEST_MS);
}

function isLimited(rules: PlanRules, userId: string): boolean {
  return Object.values(limitsOfPerson(rules, userId)).some((most) => most !== null);
}

/** Whether a person can also take this time: they are not absent, and have enough rest from their other shifts. */
function isFree(
  short: PlannedShift,
  span: Interval,
  shifts: readonly PlannedShift[],
  input: OpenInput,
  duties: Duties,
): boolean {
  const { records, restMs } = input;
  const userId = short.userId ?? '';
  // An extra hour might exceed a limit.
  if (input.rules && isLimited(input.rules, userId)) return false;
  // A person whom they must not be on call with might be on call then.
  if (apartFrom(duties.apart, userId).length > 0) return false;
  const isThere = !(records.get(userId) ?? []).some(
    (record) => record.type === 'hard_unavailable' && overlap(record, span),
  );
  const wide = { from: span.from - restMs, to: span.to + restMs };
  const others = shifts.filter((other) => other !== short && other.userId === userId);
  return (
    isThere &&
    [...others, ...duties.of(userId)].every((other) => !overlap(other, wide)) &&
    duties.givenBy(userId).every((other) => !overlap(other, span))
  );
}

/**
 * Joins consecutive pieces of one person, unassigns pieces with too short a pause, and extends pieces that are too
 * short.
 */
export function tidied<T extends PlannedShift>(pieces: readonly T[], opened: OpenInput): T[] {
  const joined = joinedPieces(withoutShortPauses(joinedPieces(pieces, opened), opened), opened);
  // A longer or shorter piece might leave somebody without their companion.
  if (!opened.onlyWith?.length) return widenedPieces(joined, opened);
  return isLess(uncoveredMs(pieces), uncoveredMs(joined)) ? withoutAlone(joined, opened) : joined;
}

/** Unassigns the shifts of people who have no companion, because a companion lost a piece. */
function withoutAlone<T extends PlannedShift>(shifts: readonly T[], input: OpenInput): T[] {
  const duties = fixedDuties(input);
  const rules = input.onlyWith ?? [];
  const isFixed = (shift: T) =>
    input.stages.some(({ places }) =>
      places.some((place) => place.fixed && isSeat(place, shift) && overlap(place, shift)),
    );
  const left = shifts.map((shift) => ({ ...shift }));
  const spansOf = ({ parts, from, to }: Stint) => parts ?? [{ from, to }];
  const isAlone = (shift: T) =>
    companionsOf(rules, shift.userId ?? '').some((others) => {
      const planned = left.filter(({ userId }) => userId !== null && others.includes(userId));
      const onCall = [...planned, ...others.flatMap((other) => duties.of(other))].flatMap(spansOf);
      return timesAlone(spansOf(shift), onCall).length > 0;
    });
  for (let changed = true; changed; ) {
    changed = false;
    for (const shift of left)
      if (shift.userId !== null && !isFixed(shift) && isAlone(shift)) {
        shift.userId = null;
        changed = true;
      }
  }
  return left;
}

function keyOf({ stage, seat, to }: { stage: number; seat: number; to: number }): string {
  return `${stage} ${seat} ${to}`;
}
