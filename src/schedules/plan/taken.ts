import type { ShiftRow } from './difference.ts';
import { layOverrides, type Override } from './overlay.ts';
import { type Extra, overlap, type PastShift, type Place, type Span, type Taken } from './planner.ts';
import { joined, within, without } from './windows.ts';

/** Time on one seat that somebody has whatever was planned. */
export type SeatTaken = Taken & {
  seat: number;
  /** Null: the override was deleted since. */
  overrideId: string | null;
  /** An override that names none of several seats takes that for which its person is planned, or another: all of its time. */
  floating: Span | null;
};

/**
 * What people really had in place of others, and what overrides give them from `at` on. What is to come hangs on the
 * overrides alone, not on what is published: planning again sees the same. `rows`, `overrides`: of one stage; `seats`: how
 * many it has.
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
  // Before now the rows say who had it, where there are any.
  const known = new Map(
    [...Map.groupBy(rows, ({ seat }) => seat)].map(([seat, own]) => [
      seat,
      joined(own.map(({ from, to }) => ({ from, to: Math.min(to, at) }))),
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

/** Says with shifts which parts of them are taken. */
export function withTaken<S extends PastShift | Place>(
  shifts: readonly S[],
  taken: readonly SeatTaken[],
): readonly S[] {
  const seats = seated(taken);
  if (seats.size === 0) return shifts;
  return shifts.map((shift) => {
    const own = (seats.get(shift.seat) ?? []).flatMap(({ userId, from, to }) =>
      overlap({ from, to }, shift)
        ? within(spansOf(shift), { from, to }).map((part) => ({ ...part, userId }))
        : [],
    );
    return own.length > 0 ? { ...shift, taken: own } : shift;
  });
}

/** What is taken beside shifts. `shifts`: those of the same seats; `places`: all of the stage that are to come. */
export function takenBeside(
  shifts: readonly (PastShift | Place)[],
  places: readonly Place[],
  taken: readonly SeatTaken[],
): Extra[] {
  const beside = [...seated(taken)].flatMap(([seat, own]) => {
    const planned = joined(shifts.filter((shift) => shift.seat === seat).flatMap(spansOf));
    return own.flatMap(({ userId, from, to }) =>
      without([{ from, to }], planned).map(
        (span): Extra => ({ ...span, userId, seat, override: 'whole', counts: true }),
      ),
    );
  });
  return [...beside, ...taken.flatMap((one) => floatingTime(one, places))];
}

/** By seat; what an override gave before now and what it gives from now on are one. */
function seated(taken: readonly SeatTaken[]): Map<number, Taken[]> {
  const seats = Map.groupBy(
    taken.filter(({ floating }) => floating === null),
    ({ seat }) => seat,
  );
  return new Map(
    [...seats].map(([seat, own]) => [
      seat,
      [...Map.groupBy(own, ({ userId, overrideId, from }) => `${userId} ${overrideId ?? from}`).values()]
        .flatMap((spans) => joined(spans).map((span) => ({ ...span, userId: spans[0]?.userId ?? '' })))
        .sort((a, b) => a.from - b.from),
    ]),
  );
}

/** Where a shift is planned for them it is counted already. */
function floatingTime({ userId, from, to, floating }: SeatTaken, places: readonly Place[]): Extra[] {
  if (!floating) return [];
  const near = places.filter((place) => overlap(place, floating));
  const isWhole =
    near.length === 0 || near.some((place) => floating.from <= place.from && place.to <= floating.to);
  const planned = joined(near.filter(({ kept }) => kept?.userId === userId).flatMap(spansOf));
  const common = { userId, seat: null, override: isWhole ? ('whole' as const) : ('part' as const) };
  return [
    ...within(planned, { from, to }).map((span) => ({ ...common, ...span, counts: false })),
    ...without([{ from, to }], planned).map((span) => ({ ...common, ...span, counts: true })),
  ];
}

function spansOf({ from, to, parts }: PastShift | Place): readonly Span[] {
  return parts ?? [{ from, to }];
}
