import type { ShiftRow } from './difference.ts';
import { layOverrides, type Override } from './overlay.ts';
import { plannedParts } from './planned-shifts.ts';
import { type Extra, overlap, type PastShift, type Place, type Span, type Taken } from './planner.ts';
import { joined, within, without } from './windows.ts';

/** Time on one seat that somebody has whatever was planned. */
export type SeatTaken = Taken & {
  seat: number;
  /** The override names none of several seats: it takes that for which its person is planned, or another. */
  floats: boolean;
  /** The shift that it is a part of. */
  whole: Span | null;
  isPlanned: boolean;
};

/**
 * What people really had in place of others, and what they will have as overrides lie over what is published. `rows`,
 * `overrides`: of one stage; `seats`: how many it has.
 */
export function takenTimes(
  rows: readonly ShiftRow[],
  overrides: readonly Override[],
  seats: number,
  at: number,
): SeatTaken[] {
  const had = rows.filter(({ to, userId, plannedUserId }) => to <= at && userId !== plannedUserId);
  const coming = rows.filter(({ to, planned }) => Math.max(to, planned?.to ?? to) > at);
  const [stage] = overrides.map((override) => override.stage);
  const laid = stage === undefined ? [] : layOverrides(stage, seats, plannedParts(coming), overrides);
  const pieces = [...had, ...laid.filter(({ overrideId, to }) => overrideId !== null && to > at)];
  const seatless = new Set(seats > 1 ? overrides.filter(({ seat }) => !seat).map(({ id }) => id) : []);
  return pieces
    .flatMap(({ seat, from, to, userId, plannedUserId, overrideId, planned: whole }): SeatTaken[] => {
      if (userId === null) return [];
      const floats = to > at && overrideId !== null && seatless.has(overrideId);
      return [{ seat, from, to, userId, floats, whole, isPlanned: userId === plannedUserId }];
    })
    .sort((a, b) => a.from - b.from || a.seat - b.seat);
}

/** Says with shifts which parts of them are taken, and what is taken beside them. */
export function withTaken(
  past: readonly PastShift[],
  places: readonly Place[],
  taken: readonly SeatTaken[],
): { past: readonly PastShift[]; places: readonly Place[]; extra?: readonly Extra[] } {
  if (taken.length === 0) return { past, places };
  const seats = Map.groupBy(
    taken.filter(({ floats }) => !floats),
    ({ seat }) => seat,
  );
  const marked = <S extends PastShift | Place>(shift: S): S => {
    const own = (seats.get(shift.seat) ?? []).flatMap(({ userId, ...span }) =>
      overlap(span, shift) ? within(spansOf(shift), span).map((part) => ({ ...part, userId })) : [],
    );
    return own.length > 0 ? { ...shift, taken: own } : shift;
  };
  const beside = [...seats].flatMap(([seat, own]) => {
    const planned = joined([...past, ...places].filter((shift) => shift.seat === seat).flatMap(spansOf));
    return own.flatMap(({ userId, from, to }) =>
      without([{ from, to }], planned).map(
        (span): Extra => ({ ...span, userId, seat, override: 'whole', counts: true }),
      ),
    );
  });
  const extra = [...beside, ...taken.filter(({ floats }) => floats).map(floating)];
  return { past: past.map(marked), places: places.map(marked), ...(extra.length > 0 ? { extra } : {}) };
}

function floating({ userId, from, to, whole, isPlanned }: SeatTaken): Extra {
  const isWhole = whole === null || (from <= whole.from && whole.to <= to);
  return { userId, from, to, seat: null, override: isWhole ? 'whole' : 'part', counts: !isPlanned };
}

function spansOf({ from, to, parts }: PastShift | Place): readonly Span[] {
  return parts ?? [{ from, to }];
}
