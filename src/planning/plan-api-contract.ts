import { type Static, Type } from 'typebox';
import type { Person } from '../people/contract.ts';

/**
 * Requests and answers of the plan API. Times are ISO 8601 in UTC; points and shares are explained in docs/planning.md.
 *
 * POST   /api/schedules/:id/plan/draft     `DraftBody` → 201 `DraftAnswer`: starts a draft and discards an older one
 * GET    /api/schedules/:id/plan/draft     → `DraftAnswer`: the current draft with its progress or preview
 * POST   /api/schedules/:id/plan/publish   `PublishBody` → `PlanAnswer`; 409 if what it was made from has changed
 * POST   /api/schedules/:id/plan/discard   → `DraftAnswer` without a draft
 * GET    /api/schedules/:id/plan           → `PlanAnswer`: the plan in force, and the coming gaps as sentences
 * GET    /api/shifts/:id/reason            → `ReasonAnswer`: why a person has a shift
 */

export const DraftBody = Type.Object({
  /** Shifts that begin earlier stay as they are. Default: three days from now. */
  from: Type.Optional(Type.String({ format: 'instant' })),
  /**
   * `keep` moves only what has to move; `fresh` assigns all shifts again, as equally as possible, and prefers the
   * published person only between equals.
   */
  freedom: Type.Enum(['keep', 'fresh'], { type: 'string', default: 'fresh' }),
});
export type DraftBody = Static<typeof DraftBody>;

export const PublishBody = Type.Object({
  /** The draft that the user reviewed, so that no other one is published by mistake. */
  draft: Type.String({ maxLength: 100 }),
});
export type PublishBody = Static<typeof PublishBody>;

/** What a plan costs, in points; less is better. `requested` is negative. */
export type PlanTerms = {
  uncovered: number;
  unanswered: number;
  moved: number;
  /** Surcharge for moving published shifts that begin within three days. */
  movedSoon: number;
  soft: number;
  elsewhere: number;
  requested: number;
  backToBack: number;
  shares: number;
};

export type PlanFigures = {
  /** `optimal`: proven best. `time_limit`: the best when time ran out. `greedy`: the solver found nothing better. */
  origin: 'optimal' | 'time_limit' | 'greedy';
  objective: number;
  terms: PlanTerms;
  /** A proven lower bound on the cost of any plan; null if nothing was proven. */
  bound: number | null;
  /**
   * By how much the cost may exceed the best possible, as a fraction of it: 0 if proven best, null if nothing was
   * proven.
   */
  gap: number | null;
  seconds: number;
  /** Name and version of the solver. */
  solver: string;
  /** The figures as a sentence. */
  sentence: string;
};

export type PlanState = 'waiting' | 'solving' | 'draft' | 'published' | 'discarded' | 'failed';

export type PlanHead = {
  id: string;
  state: PlanState;
  created_at: string;
  /** Null if the service or the command line made it. */
  created_by: Person | null;
  published_at: string | null;
  published_by: Person | null;
  /** The time that the plan spans. */
  starts_at: string;
  ends_at: string;
  /** Null until it is solved, and for rotations. */
  figures: PlanFigures | null;
};

export type PlanAnswer = { plan: PlanHead | null; gaps: PlanGap[] };

/** A time at which a stage has nobody on call. */
export type PlanGap = {
  stage: number;
  starts_at: string;
  ends_at: string;
  /** "nobody can take stage 1 from …: Ada is away until …; …" */
  sentence: string;
  /** The backstop, who answers instead. */
  backstop: Person | null;
};

export type DraftAnswer = { draft: Draft | null };

export type Draft = PlanHead & {
  freedom: 'keep' | 'fresh';
  /** Set while the draft is waiting or being solved. */
  progress: DraftProgress | null;
  /** Set in state `failed`: what happened and what to do. */
  error: string | null;
  /** Why the draft can no longer be published, as a sentence; it can only be discarded or made again. */
  outdated: string | null;
  /** Set in state `draft`. */
  preview: Preview | null;
};

export type DraftProgress = {
  seconds: number;
  /** The time limit of the solver. */
  limit_seconds: number;
  /** Of the best plan so far; null until there is one. */
  objective: number | null;
  gap: number | null;
};

export type Preview = {
  /** Sentence: "7 shifts change hands, which concerns 4 people." */
  summary: string;
  /** Shifts that change hands, by start; `before` or `after` null is nobody. */
  changes: ShiftChange[];
  /** All members of the schedule, those with the largest changes first. */
  people: PersonPreview[];
  gaps: PlanGap[];
  /** All shifts of the draft. */
  shifts: DraftShift[];
};

export type ShiftChange = {
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  before: Person | null;
  after: Person | null;
};

/** The kinds overlap: a night may be on a weekend. */
export type Tally = { shifts: number; hours: number; nights: number; weekends: number; holidays: number };

export type PersonPreview = {
  person: Person;
  /** Totals over the time that the draft plans. */
  before: Tally;
  after: Tally;
  gains: Tally;
  loses: Tally;
  /** "gains 2 shifts (1 night), loses 1 shift (1 weekend)" */
  sentence: string;
};

export type DraftShift = {
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  person: Person | null;
  reason: ShiftReason | null;
};

export type ShiftReason = {
  /**
   * `turn`: next in the order; `owed`: makes up for a skipped turn; `least`: best for equal shares and preferences;
   * `nobody`: a gap.
   */
  rule: 'turn' | 'owed' | 'least' | 'nobody';
  sentence: string;
  /** Other people who could have had the shift, cheapest first. */
  others: OtherPerson[];
  /** Members who could not have had it, and why. */
  refused: { person: Person; because: RefusedBecause; sentence: string }[];
};

export type OtherPerson = {
  person: Person;
  /** By how many points the plan would be worse. */
  cost: number;
  /** The shift that would go the other way, because they cannot have both. */
  swap: { stage: number; starts_at: string; ends_at: string } | null;
  sentence: string;
};

export type RefusedBecause = 'unavailable' | 'rest' | 'busy' | 'needed' | 'seated' | 'limit' | 'elsewhere';

export type ReasonAnswer = { shift_id: string; reason: ShiftReason | null };
