import { type Static, Type } from 'typebox';
import type { Person } from '../people/contract.ts';

/**
 * What the dashboard reads and asks of plans. Times are ISO 8601 in UTC; points and shares are explained in
 * docs/planning.md.
 *
 * POST   /api/schedules/:id/plan/draft     `DraftBody` → 201 `DraftAnswer`: begins a draft; an older one is discarded
 * GET    /api/schedules/:id/plan/draft     → `DraftAnswer`: the draft that is there, with its progress or its preview
 * POST   /api/schedules/:id/plan/publish   `PublishBody` → `PlanAnswer`; 409 when what it was made from has changed
 * POST   /api/schedules/:id/plan/discard   → `DraftAnswer` without a draft
 * GET    /api/schedules/:id/plan           → `PlanAnswer`: the plan in force, and the gaps to come in words
 * GET    /api/shifts/:id/reason            → `ReasonAnswer`: why a shift is whose it is
 */

export const DraftBody = Type.Object({
  /** Shifts that begin before stay as they are; without it three days from now. */
  from: Type.Optional(Type.String({ format: 'instant' })),
  /**
   * `keep` moves only what has to move; `fresh` gives all shifts away anew, as equally as can be, and prefers what is
   * published only where nothing else speaks against it.
   */
  freedom: Type.Enum(['keep', 'fresh'], { type: 'string', default: 'fresh' }),
});
export type DraftBody = Static<typeof DraftBody>;

export const PublishBody = Type.Object({
  /** Which draft was looked at: another one is not published by mistake. */
  draft: Type.String({ maxLength: 100 }),
});
export type PublishBody = Static<typeof PublishBody>;

/** What a plan costs, in points, the less the better; `requested` is negative. */
export type PlanTerms = {
  uncovered: number;
  unanswered: number;
  moved: number;
  /** What is added for published shifts that begin within three days. */
  movedSoon: number;
  soft: number;
  elsewhere: number;
  requested: number;
  backToBack: number;
  shares: number;
};

export type PlanFigures = {
  /** `optimal`: proven best. `time_limit`: the best until time was up. `greedy`: solving gave nothing better. */
  origin: 'optimal' | 'time_limit' | 'greedy';
  objective: number;
  terms: PlanTerms;
  /** No plan can cost less; null when nothing was proven. */
  bound: number | null;
  /** How much of the objective may be too much at most, 0 to …: 0 when proven; null when nothing was. */
  gap: number | null;
  seconds: number;
  /** Name and version of the solver. */
  solver: string;
  /** All of this in a sentence. */
  sentence: string;
};

export type PlanState = 'waiting' | 'solving' | 'draft' | 'published' | 'discarded' | 'failed';

export type PlanHead = {
  id: string;
  state: PlanState;
  created_at: string;
  /** Null: made by itself, or on the command line. */
  created_by: Person | null;
  published_at: string | null;
  published_by: Person | null;
  /** The time that it plans. */
  starts_at: string;
  ends_at: string;
  /** Null until it is solved, and for rotations. */
  figures: PlanFigures | null;
};

export type PlanAnswer = { plan: PlanHead | null; gaps: PlanGap[] };

/** A time at which a stage has nobody. */
export type PlanGap = {
  stage: number;
  starts_at: string;
  ends_at: string;
  /** "nobody can take stage 1 from …: Ada is away until …; …" */
  sentence: string;
  /** Who answers instead. */
  backstop: Person | null;
};

export type DraftAnswer = { draft: Draft | null };

export type Draft = PlanHead & {
  freedom: 'keep' | 'fresh';
  /** While it is being solved. */
  progress: DraftProgress | null;
  /** With state `failed`: what happened and what to do. */
  error: string | null;
  /** A sentence when what it was made from has changed meanwhile: it can only be discarded, or made again. */
  outdated: string | null;
  /** With state `draft`. */
  preview: Preview | null;
};

export type DraftProgress = {
  seconds: number;
  /** It ends by then at the latest. */
  limit_seconds: number;
  /** Of the best plan so far; null before there is one. */
  objective: number | null;
  gap: number | null;
};

export type Preview = {
  /** Sentence: "7 shifts change hands between 4 people." */
  summary: string;
  /** What changes hands, by start; `null` is nobody. */
  changes: ShiftChange[];
  /** Everybody of the schedule, those whose load changes most first. */
  people: PersonPreview[];
  gaps: PlanGap[];
  /** The whole plan of the draft. */
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

/** Kinds overlap: a night may be on a weekend. */
export type Tally = { shifts: number; hours: number; nights: number; weekends: number; holidays: number };

export type PersonPreview = {
  person: Person;
  /** Over the time that the draft plans. */
  before: Tally;
  after: Tally;
  gains: Tally;
  loses: Tally;
  /** "gains the nights of 3 and 4 December, loses the weekend of 12 December" */
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
   * `turn`: next in the order; `owed`: a turn that was skipped, given back; `least`: the best for equal shares and
   * wishes; `nobody`: a gap.
   */
  rule: 'turn' | 'owed' | 'least' | 'nobody';
  sentence: string;
  /** Who else could have had it, the cheapest first. */
  others: OtherPerson[];
  /** Why the others could not. */
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
