import { type Interval, overlapMs } from '../kit/interval.ts';
import type { ApartGroup, ApartRefusal } from './apart.ts';
import type { AloneRefusal, OnlyWith } from './companions.ts';
import type { Elsewhere, InTheWay } from './elsewhere.ts';
import type { Exceeded } from './limits.ts';
import type { NotPlanned } from './person-times.ts';
import type { ShareStep } from './rules.ts';

/** Time on call: the whole span or, with weekly hours, the parts of it, ascending. */
export type Stint = Interval & {
  parts?: readonly Interval[];
  /** For a piece of a cut shift: its seat and the start of the shift. Pieces of one shift need no rest between them. */
  pieceOf?: string;
};

export type AvailabilityRecord = Interval & {
  type: 'hard_unavailable' | 'soft_unavailable' | 'requested';
  /** Not an absence: the rules of the schedule do not plan the person at that time. */
  why?: NotPlanned;
};

/**
 * Why a person could not take a shift: an absence; too little rest; a simultaneous shift in another stage; being the
 * only candidate for another stage; already having another seat of the stage; a limit; a simultaneous shift in another
 * schedule; another junior, or a person they are never together with, on call at that time; a missing companion, theirs
 * or somebody else's; or a time at which the rules of the schedule do not plan them.
 */
export type Because =
  | ('unavailable' | 'rest' | 'busy' | 'needed' | 'seated' | 'limit' | 'elsewhere' | 'junior' | 'apart')
  | 'alone'
  | NotPlanned;

/**
 * Why a person could not take a shift. `limit`: the limit that they would exceed. `junior`, `other`: the id of the
 * person on call at that time who excludes them.
 */
export type Refusal = {
  because: Because;
  limit?: Exceeded;
  junior?: string;
  other?: string;
  /** `alone`: ids of the missing companions, and of the person who would be without them, if it is somebody else. */
  with?: readonly string[];
  alone?: string;
  /** `elsewhere`, and `rest` if a shift in another schedule is the cause: that shift. */
  elsewhere?: InTheWay;
};

/** A person who could not take a shift. */
export type Skipped = { user_id: string } & Refusal;

/**
 * Why a person has a shift. `turn`: next in the order; `owed`: makes up for a skipped turn; `least`: has had the least
 * so far; `nobody`: a gap, because nobody could.
 */
export type Reason = {
  rule: 'turn' | 'owed' | 'least' | 'nobody';
  skipped: Skipped[];
  /** Other people who could have had it, cheapest first. `compared`: why they do not have it; missing in older plans. */
  others?: {
    user_id: string;
    cost: number;
    swap: (Interval & { stage: number }) | null;
    compared?: Compared[];
  }[];
  /** Reasons for and against the person who has it; missing in older plans. */
  own?: Compared[];
  /** For a piece of a shared shift: the whole shift. */
  shared?: Interval;
  /** For a gap: why nobody can take it. */
  contradiction?: Contradiction;
};

/** A kind of shift that is shared equally; `first`: those of the lowest stage. */
export type SharedKind = 'total' | 'first' | 'night' | 'weekend' | 'holiday';

/** How many shifts of a kind a person has in the past year and the plan together, and how many would be fair. */
export type Standing = { has: number; fair: number };

/**
 * What a plan compares when it chooses between two people, without their names. `holder` has the shift, `taker` could
 * have had it. Each has this shift or, in an exchange, the other one.
 */
export type Compared =
  | { what: 'soft' | 'requested' | 'elsewhere' | 'beside'; who: 'holder' | 'taker' }
  /** A published shift would move, or a shared shift would be cut further. */
  | { what: 'moved' | 'pieces' }
  | { what: 'share'; kind: SharedKind; holder: Standing; taker?: Standing };

/** Why a member cannot take a shift: an absence, a conflicting shift, a limit, a person they are kept apart from, or a shift in another schedule. */
export type IneligibleMember = { userId: string } & (
  | { because: 'unavailable'; record: Interval }
  | { because: 'busy' | 'rest'; duty: Interval & { stage: number } }
  | { because: 'limit'; limit?: Exceeded }
  | ApartRefusal
  | AloneRefusal
  | { because: 'elsewhere'; elsewhere?: InTheWay }
  /** Too little rest before or after a shift in another schedule. */
  | { because: 'elsewhere_rest'; elsewhere: InTheWay }
  | { because: NotPlanned }
);

/**
 * Why nobody has a shift: there are more simultaneous `shifts` than `takers` who could take any of them, and every
 * other member has an obstacle. The explanation is minimal: without any one obstacle, one more shift would have a
 * person.
 */
export type Contradiction = {
  /** The uncovered shift comes first. */
  shifts: (Interval & { stage: number })[];
  takers: string[];
  obstacles: IneligibleMember[];
};

/** A shift as planned, before overrides. Without a user it is a gap. */
export type PlannedShift = Stint & {
  stage: number;
  seat: number;
  userId: string | null;
  reason: Reason | null;
};

/** Time on call that an override, a cover or a swap gave to a person, regardless of the plan. */
export type Taken = Interval & {
  userId: string;
  /** The person has the whole shift; for a shared shift, all of its pieces. */
  isWhole?: true;
};

/**
 * Time taken over that belongs to no planned shift: outside the hours, beyond the plan, or by an override that names no
 * seat in a stage with several, so that the plan decides which seat it takes.
 */
export type Extra = Interval & {
  userId: string;
  /** Null for any seat. */
  seat: number | null;
  /** Whether it is a whole shift or a part of one. */
  override: 'whole' | 'part';
  /** False if the person has a planned shift at that time, which is counted instead. */
  counts: boolean;
};

/** A past shift. `taken`: the parts that others had. */
export type PastShift = PlannedShift & { taken?: readonly Taken[] };

/** A shift to assign. */
export type Place = Stint & {
  stage: number;
  seat: number;
  /** Availability is checked from here on: a shift may already be running when it is first planned. */
  servedFrom: number;
  /** The start of the gap if nobody can take it, so that a running gap stays one row. */
  gapFrom: number;
  /** Who had it in the plan so far; they keep it if they still can. */
  kept: { userId: string; reason: Reason | null } | null;
  /** Nobody had it in the plan so far. */
  wasGap?: true;
  /** The `kept` person had most of that time, but in a shift with another start or end. */
  otherHours?: true;
  /** Published, and the shift begins within three days, so it moves only if it must. */
  soon?: true;
  /**
   * The place itself also begins within three days, so its person keeps it even without rest from a shift they took
   * over.
   */
  keptWithoutRest?: true;
  /** Running, or waiting for people to decide on a cover, so it never moves. */
  fixed: boolean;
  /** For a piece of a shared shift: the whole shift. */
  shared?: Interval;
  /** A gap, or beyond the planned time. Nobody gives up a published shift of a higher stage for it. */
  yields: boolean;
  /** The parts of it that overrides give to people, ascending. */
  taken?: readonly Taken[];
};

export type Member = {
  userId: string;
  joinedAt: number;
  /** The end of the shifts that were published before they joined; no share is expected of them until then. */
  sharesFrom?: number;
  /** How large a share is expected of them, and since when; a whole one if left out. */
  share?: readonly ShareStep[];
};

/** The time from which a share is expected of a person, in epoch milliseconds. */
export function shareStart({ joinedAt, sharesFrom = joinedAt }: Omit<Member, 'userId'>): number {
  return Math.max(joinedAt, sharesFrom);
}

export type StageInput = {
  stage: number;
  seats: number;
  /** In the order of the rotation. */
  members: readonly Member[];
  /** Planned shifts that have ended, oldest first. */
  past: readonly PastShift[];
  places: readonly Place[];
  /** Override time that belongs to none of the shifts. */
  extra?: readonly Extra[];
};

/** A stage, or one of its layers: people who share some of its seats with a pattern of their own. */
export type StageSituation = {
  stage: number;
  /** For a layer. Lower seats belong to the layers before it. */
  firstSeat?: number;
  seats: number;
  /** Default: those of the situation. */
  handoffs?: readonly number[];
  /** The hours on call, ascending; default: always. */
  windows?: readonly Interval[];
  /** Members who can sign in, in the order of the rotation. */
  members: readonly Member[];
  /** Its members when it was last planned; null before the first plan. */
  plannedMembers: readonly string[] | null;
};

export type PlanInput = {
  /** Ascending: a lower stage is never left open in favor of a higher one. */
  stages: readonly StageInput[];
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  /** The least time between two shifts of one person. */
  restMs: number;
  /** A person who is absent for less than a tenth of a shift, and for at most this long, still gets it. Default: 0. */
  smallAbsenceMs?: number;
  /** Groups of people who are never on call together. Default: none. */
  apart?: readonly ApartGroup[];
  /** Who is on call only together with others. Default: nobody. */
  onlyWith?: readonly OnlyWith[];
  /** Shifts in other schedules. */
  elsewhere?: Elsewhere;
  /** Rest, limits and shares count shifts in other schedules. Shares count only those that end after this instant. */
  countElsewhereSince?: number;
};

/** A strategy. Pure: the same input gives the same plan, with one shift for each place. */
export type Planner = { plan(input: PlanInput): PlannedShift[] };

export function overlap(a: Stint, b: Stint): boolean {
  return areNear(a, b, 0);
}

/** Whether less than `marginMs` lies between two stints. With 0: whether they overlap. */
export function areNear(a: Stint, b: Stint, marginMs: number): boolean {
  const isNear = (x: Interval, y: Interval) => x.from < y.to + marginMs && y.from < x.to + marginMs;
  if (!isNear(a, b) || (!a.parts && !b.parts)) return isNear(a, b);
  const others = b.parts ?? [b];
  return (a.parts ?? [a]).some((part) => others.some((other) => isNear(part, other)));
}

/** For how long two stints overlap, in milliseconds. */
export function commonMs(a: Stint, b: Stint): number {
  const others = b.parts ?? [b];
  return (a.parts ?? [a]).reduce(
    (sum, part) => sum + others.reduce((own, other) => own + overlapMs(part, other), 0),
    0,
  );
}

/** Time on call in milliseconds, without the pauses between parts. */
export function lengthOf({ parts, from, to }: Stint): number {
  return parts ? parts.reduce((sum, part) => sum + part.to - part.from, 0) : to - from;
}

/** The part of a place that its person would serve, from `servedFrom` on. */
export function served({ servedFrom, to, parts, pieceOf }: Place): Stint {
  const span = { from: servedFrom, to, ...(pieceOf === undefined ? {} : { pieceOf }) };
  if (!parts) return span;
  const left = parts.filter((part) => part.to > servedFrom);
  return { ...span, parts: left.map((part) => ({ ...part, from: Math.max(part.from, servedFrom) })) };
}

/** A place that somebody has. */
export function spanOf({ from, to, parts }: Place): Stint {
  return { from, to, ...(parts ? { parts } : {}) };
}

/** A place that nobody has. A running gap stays one row, of which only the hours that are to come are missing. */
export function gapOf(place: Place): Stint {
  const { parts } = served(place);
  return { from: place.gapFrom, to: place.to, ...(parts ? { parts } : {}) };
}
