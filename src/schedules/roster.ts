import { clip, cut, type Interval, intersects, union } from '../kit/interval.ts';
import { type Apart, type ApartWhy, apartBecause, apartFrom } from './apart.ts';
import { companionsOf, type OnlyWith, timesAlone } from './companions.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { AvailabilityRecord } from './planner.ts';
import type { PlanRules } from './rules.ts';

/** A seat of a stage for a time, in epoch milliseconds. */
export type Seated = Interval & { stage: number; seat: number };

/** A time for which a person has a seat. Without a user it is a gap. */
export type Stint = Seated & {
  userId: string | null;
  /** The start of the planned shift that this is a part of; absent for a whole shift. */
  shift?: number;
  /** For a piece of a shift that several people share: that shift. */
  shared?: Interval;
  /** Decided by people, or waiting for their decision. No repair gives it to somebody else. */
  stands?: boolean;
};

/** Gives a seat for a time to a person, no matter who has it now. */
export type Move = Seated & { gains: string };

export type Absence = Interval & { id: string };
export type Wish = Interval & { type: 'soft_unavailable' | 'requested' };

/** Who is on call when in one schedule, and everything that decides who else could be. */
export type Roster = {
  stints: readonly Stint[];
  /** By stage, in the order of the rotation, without people who cannot sign in. */
  members: ReadonlyMap<number, readonly string[]>;
  /** By stage: how many people are on call at once. */
  seats: ReadonlyMap<number, number>;
  /** Absences and preferences by person, sorted by start. */
  absences: ReadonlyMap<string, readonly Absence[]>;
  wishes: ReadonlyMap<string, readonly Wish[]>;
  /** By person: when the rules of the schedule say that they are not planned. */
  notPlanned?: ReadonlyMap<string, readonly (Interval & Pick<AvailabilityRecord, 'why'>)[]>;
  /** By person: shifts in other schedules. */
  elsewhere: Elsewhere;
  /** The least time between two shifts of one person, in milliseconds. */
  restMs: number;
  /** Groups of people who are never on call together, and the names of these people by user id. */
  apart?: readonly Apart[];
  names?: ReadonlyMap<string, string>;
  /** Who is on call only together with others. */
  onlyWith?: readonly OnlyWith[];
  rules: RosterRules;
};

/** Rules of the schedule except rest. Limits use its time zone. */
export type RosterRules = Pick<PlanRules, 'limits' | 'elsewhere' | 'people'> & {
  timeZone: string;
  countElsewhereSince?: PlanRules['countElsewhereSince'];
};

const indexes = new WeakMap<readonly Stint[], Map<string | null, Stint[]>>();

/** The stints of a person. Called thousands of times, so each list is grouped by person once. */
export function stintsOf(stints: readonly Stint[], userId: string): readonly Stint[] {
  const known = indexes.get(stints) ?? Map.groupBy(stints, (stint) => stint.userId);
  indexes.set(stints, known);
  return known.get(userId) ?? [];
}

/**
 * The times of people who may not be on call together with a person, during a span of a seat for which that person
 * would be on call. Times on the same seat are ignored, because the person has it instead.
 */
export function othersApart(
  { stints, apart = [] }: Pick<Roster, 'stints' | 'apart'>,
  userId: string,
  place: Seated,
): { stint: Stint; other: string; why: ApartWhy }[] {
  return apartFrom(apart, userId).flatMap((other) => {
    const why = apartBecause(apart, userId, other);
    const own = stintsOf(stints, other).filter((stint) => intersects(stint, place) && !isSeat(stint, place));
    return why ? own.map((stint) => ({ stint, other, why })) : [];
  });
}

/** `times`: when a person, `alone` or the one who takes a seat, would be on call without any of `with`. */
export type LeftAlone = { times: Interval[]; with: readonly string[]; alone?: string };

/**
 * Who would be on call without a companion if a person had a seat for a span: the person themselves, or somebody who
 * now has a companion in that seat. Absent companions do not count.
 */
export function leftAlone(
  roster: Pick<Roster, 'stints' | 'onlyWith' | 'absences'>,
  userId: string,
  place: Seated,
): LeftAlone[] {
  const { stints, onlyWith = [], absences } = roster;
  if (onlyWith.length === 0) return [];
  const span = { from: place.from, to: place.to };
  const presentIn = (some: readonly Stint[], others: readonly string[]) =>
    others.flatMap((other) =>
      timesAlone(
        some.filter((stint) => stint.userId === other),
        absences.get(other) ?? [],
      ),
    );
  const near = stints.filter((stint) => intersects(stint, span));
  const beside = near.filter((stint) => !isSeat(stint, place));
  const own = companionsOf(onlyWith, userId).map((others): LeftAlone => {
    return { times: timesAlone([span], presentIn(beside, others)), with: others };
  });
  const ofOthers = beside.flatMap((stint) =>
    stint.userId === null || stint.userId === userId
      ? []
      : companionsOf(onlyWith, stint.userId).map((others): LeftAlone => {
          const during = clip({ from: stint.from, to: stint.to }, span);
          const before = timesAlone(during ? [during] : [], presentIn(near, others));
          const now = [...presentIn(beside, others), ...(others.includes(userId) ? [span] : [])];
          const times = timesAlone(timesAlone(during ? [during] : [], now), before);
          return { times, with: others, alone: stint.userId ?? '' };
        }),
  );
  return [...own, ...ofOthers].filter(({ times }) => times.length > 0);
}

/** The roster after some moves. */
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
  const { shared } = stints.find((stint) => isSeat(stint, place) && intersects(stint, { from, to })) ?? {};
  return [...rest, { ...place, from, to, userId: gains, shift, ...(shared ? { shared } : {}) }];
}

/** The start of the planned shift that a place is a part of. */
export function shiftOf(stints: readonly Stint[], place: Seated): number {
  const stint = stints.find((one) => isSeat(one, place) && intersects(one, place));
  return stint?.shift ?? stint?.from ?? place.from;
}

export function isSeat(a: { stage: number; seat: number }, b: { stage: number; seat: number }): boolean {
  return a.stage === b.stage && a.seat === b.seat;
}

/** Whether a person has a seat for the whole of a span. */
export function holds(stints: readonly Stint[], userId: string, place: Seated): boolean {
  const own = stintsOf(stints, userId).filter((stint) => isSeat(stint, place));
  return union(own).some(({ from, to }) => from <= place.from && place.to <= to);
}

/** Two seats that one person has at the same time, one of them within a span; null if there are none. */
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
