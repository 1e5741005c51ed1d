/** Times in plans are epoch milliseconds: planning compares them by the million. End exclusive. */
export type Span = { from: number; to: number };

export type AvailabilityRecord = Span & { type: 'hard_unavailable' | 'soft_unavailable' | 'requested' };

/**
 * Why somebody could not take a shift: a record, too little rest, a shift of another stage at the same time, being the
 * only one who can fill another stage at the same time, or sitting on another seat of the same stage already.
 */
export type Because = 'unavailable' | 'rest' | 'busy' | 'needed' | 'seated';

/**
 * Why a shift is whose it is. `turn`: next in the order; `owed`: a turn that was skipped, given back; `least`: carried
 * least so far; `nobody`: nobody could, a gap.
 */
export type Reason = {
  rule: 'turn' | 'owed' | 'least' | 'nobody';
  skipped: { user_id: string; because: Because }[];
};

/** One shift as planned, before any override. Without a user it is a gap. */
export type PlannedShift = Span & {
  stage: number;
  seat: number;
  userId: string | null;
  reason: Reason | null;
};

/** A shift that has to be given to somebody. */
export type Place = Span & {
  stage: number;
  seat: number;
  /** Whether somebody can take it counts from here: a shift may be under way when it is first planned. */
  servedFrom: number;
  /** Where the gap begins when nobody can: a gap under way stays one row. */
  gapFrom: number;
  /** Whose it was in the plan so far; stays if it still can. */
  kept: { userId: string; reason: Reason | null } | null;
  /** Under way, or waiting for people to decide on a cover: stays whatever happens. */
  fixed: boolean;
  /** Comes after all that was planned, or was a gap: never takes a shift of a higher stage that people know of. */
  yields: boolean;
};

export type Member = { userId: string; joinedAt: number };

export type StageInput = {
  stage: number;
  seats: number;
  /** In the order of the rotation. */
  members: readonly Member[];
  /** Planned shifts that have ended, oldest first. */
  past: readonly PlannedShift[];
  places: readonly Place[];
};

export type PlanInput = {
  /** Ascending: a lower stage never goes short because of a higher one. */
  stages: readonly StageInput[];
  records: ReadonlyMap<string, readonly AvailabilityRecord[]>;
  /** Least time between two shifts of one person. */
  restMs: number;
};

/** A strategy. Pure: the same input gives the same plan, one shift for each place. */
export type Planner = { plan(input: PlanInput): PlannedShift[] };

export function overlap(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to;
}
