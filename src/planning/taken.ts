import { type Interval, union, within, without } from '../kit/interval.ts';
import type { ShiftRow } from '../schedules/difference.ts';
import { layOverrides, type Override } from '../schedules/overlay.ts';
import {
  type Extra,
  overlap,
  type PastShift,
  type Place,
  type Stint,
  type Taken,
} from '../schedules/planner.ts';

/** Time on one seat that an override, a cover or a swap gave to somebody, whatever was planned. */
export type SeatTaken = Taken & {
  seat: number;
  /** Null: the override was deleted since. */
  overrideId: string | null;
  /** Of an override that names none of several seats: all of its time. The plan decides which seat it takes. */
  floating: Interval | null;
};

/**
 * What people really had in place of others, and what overrides give them from `at` on. What is to come depends on the
 * overrides alone and not on the published shifts, so that planning again sees the same. `rows`, `overrides`: those of one
 * stage, which has `seats` seats.
 */
export function takenTimes(
  rows: readonly ShiftRow[],
  overrides: readonly Override[],
  seats: number,
  at: number,
): SeatTaken[] {
  const had = rows.flatMap(({ seat, from, to, userId, plannedUserId, overrideId }): SeatTaken[] =>
    from < at && userId !== null && userId !== plannedUserId
      ? [{ seat, from, to: Math.min(to, at), userId, overrideId, floating: null }]
      : [],
  );
  // Before now the rows say who had it, as far as there are rows.
  const known = new Map(
    [...Map.groupBy(rows, ({ seat }) => seat)].map(([seat, own]) => [
      seat,
      union(own.map(({ from, to }) => ({ from, to: Math.min(to, at) }))),
    ]),
  );
  const isFloating = ({ seat }: Override) => seats > 1 && !seat;
  const named = laid(
    overrides.filter((override) => !isFloating(override)),
    seats,
  );
  const floating = new Set(overrides.filter(isFloating).map(({ id }) => id));
  const others =
    floating.size === 0
      ? []
      : laid(overrides, seats).filter(({ overrideId }) => floating.has(overrideId ?? ''));
  const coming = [...named, ...others].flatMap(({ seat, from, to, userId, overrideId }): SeatTaken[] => {
    if (userId === null || to <= at) return [];
    const common = { seat, userId, overrideId };
    if (floating.has(overrideId ?? ''))
      return [{ ...common, from: Math.max(from, at), to, floating: { from, to } }];
    return without([{ from, to }], known.get(seat) ?? []).map((span) => ({
      ...common,
      ...span,
      floating: null,
    }));
  });
  return [...had, ...coming].sort((a, b) => a.from - b.from || a.seat - b.seat);
}

function laid(overrides: readonly Override[], seats: number) {
  const [first] = overrides;
  return first ? layOverrides(first.stage, seats, [], overrides) : [];
}

/** The shifts, each with the parts of it that were taken over. */
export function withTaken<S extends PastShift | Place>(
  shifts: readonly S[],
  taken: readonly SeatTaken[],
): readonly S[] {
  const seats = seated(taken);
  if (seats.size === 0) return shifts;
  return shifts.map((shift) => {
    const near = (seats.get(shift.seat) ?? []).filter((one) => overlap(one, wholeOf(shift)));
    const own = near.flatMap((one) => within(spansOf(shift), one).map((part) => ({ ...one, ...part })));
    if (own.length === 0) return shift;
    const whole = new Set(
      [...Map.groupBy(near, ({ userId }) => userId)].flatMap(([userId, spans]) =>
        without(spansOf(wholeOf(shift)), union(spans)).length === 0 ? [userId] : [],
      ),
    );
    return {
      ...shift,
      taken: own.map((one) => (whole.has(one.userId) ? { ...one, isWhole: true as const } : one)),
    };
  });
}

/** Of a piece the shift that people share: how it is cut depends on the plan. */
function wholeOf(shift: PastShift | Place): Stint {
  const shared = 'kept' in shift ? shift.shared : shift.reason?.shared;
  return shared ?? shift;
}

/** The time taken over that belongs to no shift. `shifts`: those of the same seats; `places`: all of the stage to come. */
export function takenBeside(
  shifts: readonly (PastShift | Place)[],
  places: readonly Place[],
  taken: readonly SeatTaken[],
): Extra[] {
  const beside = [...seated(taken)].flatMap(([seat, own]) => {
    const planned = union(shifts.filter((shift) => shift.seat === seat).flatMap(spansOf));
    return own.flatMap(({ userId, from, to }) =>
      without([{ from, to }], planned).map(
        (span): Extra => ({ ...span, userId, seat, override: 'whole', counts: true }),
      ),
    );
  });
  return [...beside, ...taken.flatMap((one) => floatingTime(one, places))];
}

/** By seat. What one override gave before now and what it gives from now on are union. */
function seated(taken: readonly SeatTaken[]): Map<number, Taken[]> {
  const seats = Map.groupBy(
    taken.filter(({ floating }) => floating === null),
    ({ seat }) => seat,
  );
  return new Map(
    [...seats].map(([seat, own]) => [
      seat,
      [...Map.groupBy(own, ({ userId, overrideId, from }) => `${userId} ${overrideId ?? from}`).values()]
        .flatMap((spans) => union(spans).map((span) => ({ ...span, userId: spans[0]?.userId ?? '' })))
        .sort((a, b) => a.from - b.from),
    ]),
  );
}

/** It does not count where a shift is planned for the same person, because that shift counts. */
function floatingTime({ userId, from, to, floating }: SeatTaken, places: readonly Place[]): Extra[] {
  if (!floating) return [];
  const near = places.filter((place) => overlap(place, floating));
  const isWhole =
    near.length === 0 ||
    near.map(wholeOf).some((whole) => floating.from <= whole.from && whole.to <= floating.to);
  const planned = union(near.filter(({ kept }) => kept?.userId === userId).flatMap(spansOf));
  const common = { userId, seat: null, override: isWhole ? ('whole' as const) : ('part' as const) };
  return [
    ...within(planned, { from, to }).map((span) => ({ ...common, ...span, counts: false })),
    ...without([{ from, to }], planned).map((span) => ({ ...common, ...span, counts: true })),
  ];
}

function spansOf({ from, to, parts }: Stint): readonly Interval[] {
  return parts ?? [{ from, to }];
}
