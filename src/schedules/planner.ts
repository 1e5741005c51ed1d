import { type Interval, overlapMs } from '../kit/interval.ts';

/** Time on call: the whole span, or with hours of the week parts of it, ascending. */
export type Stint = Interval & {
  parts?: readonly Interval[];
  /** Of a piece of a shift that is cut: its seat and when it begins. Pieces of one need no rest between them. */
  pieceOf?: string;
};

export type AvailabilityRecord = Interval & { type: 'hard_unavailable' | 'soft_unavailable' | 'requested' };

/**
 * Why somebody could not take a shift: a record, too little rest, a shift of another stage at the same time, being the
 * only one who can fill another stage at the same time, sitting on another seat of the same stage already, having all
 * the shifts of a week or month that the schedule allows, or a shift of another schedule at the same time.
 */
export type Because = 'unavailable' | 'rest' | 'busy' | 'needed' | 'seated' | 'limit' | 'elsewhere';

/**
 * Why a shift is whose it is. `turn`: next in the order; `owed`: a turn that was skipped, given back; `least`: carried
 * least so far; `nobody`: nobody could, a gap.
 */
export type Reason = {
  rule: 'turn' | 'owed' | 'least' | 'nobody';
  skipped: { user_id: string; because: Because }[];
  /** Who else could have had it, the cheapest first. */
  others?: { user_id: string; cost: number; swap: (Interval & { stage: number }) | null }[];
  /** Of a piece of a shift that several people share: the whole of it. */
  shared?: Interval;
  /** Of a gap: what keeps everybody away. */
  contradiction?: Contradiction;
};

/** What keeps somebody from a shift: a record, or another shift, at the same time or with too little rest between. */
export type IneligibleMember = { userId: string } & (
  | { because: 'unavailable'; record: Interval }
  | { because: 'busy' | 'rest'; duty: Interval & { stage: number } }
  | { because: 'limit' | 'elsewhere' }
);

/**
 * Why a shift has nobody: there are more `shifts` at that time than `takers` who could take any of them, and each of
 * the others is kept away by one obstacle. Nothing can be left out: without any one of the obstacles, one more of the
 * shifts would have somebody.
 */
export type Contradiction = {
  /** The shift without anybody first. */
  shifts: (Interval & { stage: number })[];
  takers: string[];
  obstacles: IneligibleMember[];
};

/** One shift as planned, before any override. Without a user it is a gap. */
export type PlannedShift = Stint & {
  stage: number;
  seat: number;
  userId: string | null;
  reason: Reason | null;
};

/** Time on call that an override, a cover or a swap gave to somebody, whatever was planned. */
export type Taken = Interval & {
  userId: string;
  /** They have all of the shift, and of a shared one all pieces. */
  isWhole?: true;
};

/**
 * Such time that belongs to no planned shift: outside the hours, further ahead than the plan, or by an override that names
 * none of several seats, so that the plan decides which seat it takes.
 */
export type Extra = Interval & {
  userId: string;
  /** Null: any. */
  seat: number | null;
  /** All of a shift, or a part of one. */
  override: 'whole' | 'part';
  /** False: a shift is planned for them at that time and is counted instead. */
  counts: boolean;
};

/** A shift of the past. `taken`: parts of it that others had. */
export type PastShift = PlannedShift & { taken?: readonly Taken[] };

/** A shift that has to be given to somebody. */
export type Place = Stint & {
  stage: number;
  seat: number;
  /** Whether somebody can take it counts from here: a shift may be under way when it is first planned. */
  servedFrom: number;
  /** Where the gap begins when nobody can: a gap under way stays one row. */
  gapFrom: number;
  /** Whose it was in the plan so far; stays if it still can. */
  kept: { userId: string; reason: Reason | null } | null;
  /** Nobody had it in the plan so far. */
  wasGap?: true;
  /** Whose it is had most of that time, but in a shift that began or ended at another time. */
  otherHours?: true;
  /** It is published and begins within three days: it moves only where it must. */
  soon?: true;
  /** And so does the place itself: its person keeps it, also without rest from what they took over. */
  keptWithoutRest?: true;
  /** Under way, or waiting for people to decide on a cover: stays whatever happens. */
  fixed: boolean;
  /** A piece of a shift that people share, which is all of that. */
  shared?: Interval;
  /** Comes after all that was planned, or was a gap: never takes a shift of a higher stage that people know of. */
  yields: boolean;
  /** Parts of it that overrides give to somebody, ascending. */
  taken?: readonly Taken[];
};

export type Member = {
  userId: string;
  joinedAt: number;
  /** When the shifts end that were published before they joined, for which they owe nothing. */
  sharesFrom?: number;
};

/** From when on somebody's share of the shifts counts. */
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
  /** Time on call by overrides that belongs to none of the shifts. */
  extra?: readonly Extra[];
};

/** A stage, or one of its layers: people who share a part of its seats by a pattern of their own. */
export type StageSituation = {
  stage: number;
  /** Of a layer; those before belong to the layers before. */
  firstSeat?: number;
  seats: number;
  /** Those of the situation unless it has its own. */
  handoffs?: readonly number[];
  /** Times at which somebody is on call at all, ascending; always without. */
  windows?: readonly Interval[];
  /** Those who can be on call at all, in the order of the rotation. */
  members: readonly Member[];
  /** With whom the shifts were planned last; null before the first plan. */
  plannedMembers: readonly string[] | null;
};

export type PlanInput = {
  /** Ascending: a lower stage never goes short because of a higher one. */
  stages: readonly StageInput[];
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  /** Least time between two shifts of one person. */
  restMs: number;
  /** Whoever is away for under a tenth of a shift, and not longer than this, has it all the same; 0 without. */
  smallAbsenceMs?: number;
};

/** A strategy. Pure: the same input gives the same plan, one shift for each place. */
export type Planner = { plan(input: PlanInput): PlannedShift[] };

export function overlap(a: Stint, b: Stint): boolean {
  return areNear(a, b, 0);
}

/** Whether there is less than `marginMs` between two stints; 0: whether they overlap. */
export function areNear(a: Stint, b: Stint, marginMs: number): boolean {
  const isNear = (x: Interval, y: Interval) => x.from < y.to + marginMs && y.from < x.to + marginMs;
  if (!isNear(a, b) || (!a.parts && !b.parts)) return isNear(a, b);
  const others = b.parts ?? [b];
  return (a.parts ?? [a]).some((part) => others.some((other) => isNear(part, other)));
}

/** How long two stints are at once. */
export function commonMs(a: Stint, b: Stint): number {
  const others = b.parts ?? [b];
  return (a.parts ?? [a]).reduce(
    (sum, part) => sum + others.reduce((own, other) => own + overlapMs(part, other), 0),
    0,
  );
}

/** How long somebody is on call, without what lies between the parts. */
export function lengthOf({ parts, from, to }: Stint): number {
  return parts ? parts.reduce((sum, part) => sum + part.to - part.from, 0) : to - from;
}

/** What of a place counts for whether somebody can take it. */
export function served({ servedFrom, to, parts, pieceOf }: Place): Stint {
  const span = { from: servedFrom, to, ...(pieceOf === undefined ? {} : { pieceOf }) };
  if (!parts) return span;
  const left = parts.filter((part) => part.to > servedFrom);
  return { ...span, parts: left.map((part) => ({ ...part, from: Math.max(part.from, servedFrom) })) };
}
