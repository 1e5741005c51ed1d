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

/** Time on a seat that an override, a cover or a swap gave to a person, regardless of the plan. */
export type SeatTaken = Taken & {
  seat: number;
  /** Null if the override has been deleted. */
  overrideId: string | null;
  /** The whole time of an override that names no seat in a stage of several. The plan decides which seat it takes. */
  floating: Interval | null;
};

/**
 * Time that people had in place of others before `at`, and that overrides give them from `at` on. The future part
 * depends only on the overrides, not on published shifts, so that planning again reads the same. `rows`, `overrides`:
 * those of one stage with `seats` seats.
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
  // The rows show who was on call before `at`, for the time that they span.
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

/** Adds to each shift the parts of it that others took over. */
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

/** The whole shift of a shared piece, because the plan decides how to cut it. */
function wholeOf(shift: PastShift | Place): Stint {
  const shared = 'kept' in shift ? shift.shared : shift.reason?.shared;
  return shared ?? shift;
}

/** Time taken over that belongs to no shift. `shifts`: those of the same seats; `places`: all places of the stage. */
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

/** Time taken by seat. Merges what an override gave before `at` with what it gives afterwards. */
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

/** Time during which the same person has a planned shift does not count, because that shift already counts. */
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
