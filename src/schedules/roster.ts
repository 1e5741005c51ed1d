import { cut, type Interval, intersects, union } from '../kit/interval.ts';
import type { PlanRules } from './rules.ts';

/** A place in the rota, from when to when; epoch milliseconds. */
export type Seated = Interval & { stage: number; seat: number };

/** A stretch of the rota as it is: who has a seat. Without a user it is a gap. */
export type Stint = Seated & {
  userId: string | null;
  /** When the planned shift begins that this is a part of; itself without. */
  shift?: number;
  /** People decided that, or may be about to: no repair gives it to somebody else. */
  stands?: boolean;
};

/** Somebody is to have a seat for a while, whoever has it now. */
export type Move = Seated & { gains: string };

export type Absence = Interval & { id: string; name: string };
export type Wish = Interval & { type: 'soft_unavailable' | 'requested' };

/** Who is on call when in one schedule, and all that speaks against having somebody else. */
export type Roster = {
  stints: readonly Stint[];
  /** By stage, in the order of the rotation; who cannot sign in is left out. */
  members: ReadonlyMap<number, readonly string[]>;
  /** How many people each stage has at once. */
  seats: ReadonlyMap<number, number>;
  /** Hard absences and wishes by person, by their start. */
  absences: ReadonlyMap<string, readonly Absence[]>;
  wishes: ReadonlyMap<string, readonly Wish[]>;
  /** When somebody is on call in other schedules. */
  elsewhere: ReadonlyMap<string, readonly Interval[]>;
  /** Between two shifts of one person. */
  restMs: number;
  rules: RosterRules;
};

/** What the schedule says beyond rest; the most shifts count by its clock. */
export type RosterRules = Pick<PlanRules, 'limits' | 'elsewhere'> & { timeZone: string };

const indexes = new WeakMap<readonly Stint[], Map<string | null, Stint[]>>();

/** What somebody has. Sought by the thousand, so that each list of stints is sorted by people once. */
export function stintsOf(stints: readonly Stint[], userId: string): readonly Stint[] {
  const known = indexes.get(stints) ?? Map.groupBy(stints, (stint) => stint.userId);
  indexes.set(stints, known);
  return known.get(userId) ?? [];
}

/** The rota as it is after some moves. */
export function after<R extends { stints: readonly Stint[] }>(roster: R, moves: readonly Move[]): R {
  return { ...roster, stints: moves.reduce<readonly Stint[]>(moved, roster.stints) };
}

function moved(stints: readonly Stint[], { stage, seat, from, to, gains }: Move): Stint[] {
  const place = { stage, seat };
  const rest = stints.flatMap((stint) => {
    if (!isSeat(stint, place) || !intersects(stint, { from, to })) return [stint];
    return cut({ ...stint, shift: stint.shift ?? stint.from }, { from, to });
  });
  const shift = shiftOf(stints, { ...place, from, to });
  return [...rest, { ...place, from, to, userId: gains, shift }];
}

/** When the planned shift begins that a place is a part of. */
export function shiftOf(stints: readonly Stint[], place: Seated): number {
  const stint = stints.find((one) => isSeat(one, place) && intersects(one, place));
  return stint?.shift ?? stint?.from ?? place.from;
}

export function isSeat(a: { stage: number; seat: number }, b: { stage: number; seat: number }): boolean {
  return a.stage === b.stage && a.seat === b.seat;
}

/** Whether somebody has a seat for the whole of a span. */
export function holds(stints: readonly Stint[], userId: string, place: Seated): boolean {
  const own = stintsOf(stints, userId).filter((stint) => isSeat(stint, place));
  return union(own).some(({ from, to }) => from <= place.from && place.to <= to);
}

/** Two places that one person has at the same time, where one of them lies within a span; null when there are none. */
export function doubled(
  stints: readonly Stint[],
  span: Interval,
): [Stint & { userId: string }, Stint] | null {
  const there = stints.filter((stint) => intersects(stint, span));
  for (const one of there) {
    const other = there.find(
      (stint) =>
        stint !== one && stint.userId === one.userId && intersects(stint, one) && !isSeat(stint, one),
    );
    if (other && one.userId !== null) return [{ ...one, userId: one.userId }, other];
  }
  return null;
}
