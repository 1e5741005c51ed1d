import { type Static, Type } from 'typebox';
import type { Person } from '../people/contract.ts';

/**
 * Requests and answers for covers, swaps, handing over and overrides. Times are ISO 8601 in UTC.
 *
 * GET    /api/covers                        → `CoversForMe`: covers and swaps that wait for the viewer
 * GET    /api/covers/:id                    → `CoverShown`
 * POST   /api/covers/:id/take               `TakeBody` → `CoverAnswer`: the viewer, or `user`, takes it
 * POST   /api/covers/:id/offer              `OfferToBody` → `CoverAnswer`: asks a certain person
 * POST   /api/covers/:id/decline            → `CoverAnswer`: the proposed person declines; another one is proposed
 * POST   /api/covers/:id/apply              → `CoverAnswer`: applies the proposal
 * POST   /api/covers/:id/withdraw           → `CoverAnswer`: withdraws a requested cover
 * GET    /api/schedules/:id/covers          `CoverQuery` → `CoverList`
 *
 * GET    /api/shifts/:id/candidates         `SpanQuery` → `Candidates`: who could have it, and why others cannot
 * POST   /api/shifts/:id/offer              `OfferBody` → 201 `CoverAnswer`: opens a cover
 * POST   /api/shifts/:id/hand-over          `HandOverBody` → `ShiftAnswer`: gives it to another person at once
 * POST   /api/shifts/:id/swap               `SwapBody` → 201 `SwapAnswer`
 * GET    /api/swaps/:id                     → `SwapShown`
 * POST   /api/swaps/:id/accept              → `SwapAnswer`
 * POST   /api/swaps/:id/decline             → `SwapAnswer`
 * POST   /api/swaps/:id/withdraw            → `SwapAnswer`
 *
 * GET    /api/schedules/:id/overrides       `SpanQuery` → `OverrideList`: overrides that are not over
 * POST   /api/schedules/:id/overrides       `OverrideBody` → 201 `OverrideAnswer`
 * DELETE /api/schedules/:id/overrides/:override → `OverrideAnswer`; post its `override` again to undo
 *
 * A request that breaks a rule (absent, on call elsewhere, too late) gets 409 with a sentence in `details`.
 */

export const COVER_STATES = ['open', 'proposed', 'taken', 'applied', 'withdrawn', 'expired'] as const;
/**
 * `open`: without a proposal; `proposed`: the smallest repair waits for an answer; `taken`: a person took it;
 * `applied`: the service applied the proposal; `withdrawn`: no longer needed; `expired`: nobody took it in time.
 */
export type CoverState = (typeof COVER_STATES)[number];

export const SWAP_STATES = ['proposed', 'accepted', 'declined', 'withdrawn', 'expired'] as const;
export type SwapState = (typeof SWAP_STATES)[number];

const id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const instant = (description: string) => Type.String({ format: 'instant', description });
const note = Type.Optional(
  Type.String({
    maxLength: 1_000,
    format: 'optional-text',
    description: 'a text of at most 1,000 characters',
  }),
);

export const SpanQuery = Type.Object({
  from: Type.Optional(instant('Only what ends later.')),
  to: Type.Optional(instant('Only what begins before.')),
});
export type SpanQuery = Static<typeof SpanQuery>;

export const CoverQuery = Type.Object({
  from: Type.Optional(instant('Only covers that end later; without it, now.')),
  to: Type.Optional(instant('Only covers that begin before.')),
  state: Type.Optional(Type.Array(Type.Enum(COVER_STATES, { type: 'string' }), { maxItems: 6 })),
});
export type CoverQuery = Static<typeof CoverQuery>;

export const TakeBody = Type.Object({
  user: Type.Optional(id("who takes it, somebody's identifier; without it the viewer")),
  starts_at: Type.Optional(instant('when they take over; without it all of it')),
  ends_at: Type.Optional(instant('until when; without it all of it')),
});
export type TakeBody = Static<typeof TakeBody>;

export const OfferToBody = Type.Object({ to: id('who is asked') });
export type OfferToBody = Static<typeof OfferToBody>;

export const OfferBody = Type.Object({
  starts_at: Type.Optional(instant('from when somebody else is looked for; without it the whole shift')),
  ends_at: Type.Optional(instant('until when; without it to the end of the shift')),
  to: Type.Optional(id('the person to propose it to first; without it, the best candidate')),
  note,
});
export type OfferBody = Static<typeof OfferBody>;

export const HandOverBody = Type.Object({
  to: id('who has it then'),
  starts_at: Type.Optional(instant('from when; without it from now, or from when the shift begins')),
  ends_at: Type.Optional(instant('until when; without it to the end of the shift')),
});
export type HandOverBody = Static<typeof HandOverBody>;

export const SwapBody = Type.Object({
  with: id("the other shift's identifier"),
  starts_at: Type.Optional(instant('of the part of this shift that is given; without it the whole')),
  ends_at: Type.Optional(instant('of the part of this shift that is given')),
  note,
});
export type SwapBody = Static<typeof SwapBody>;

export const OverrideBody = Type.Object({
  stage: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  seat: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 20 }), Type.Null()], {
      description: 'a seat of that stage; without it the one that the person has, else the first',
    }),
  ),
  user: id('who is on call then'),
  starts_at: instant('when it begins'),
  ends_at: instant('when it ends'),
});
export type OverrideBody = Static<typeof OverrideBody>;

type ScheduleNamed = { id: string; name: string; time_zone: string };
type TeamNamed = { id: string; name: string; slug: string };

/** One change of a seat, proposed or done. */
export type Move = {
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  loses: Person | null;
  gains: Person;
};

export type Proposal = {
  moves: Move[];
  /** No repair with fewer changes covers as much. */
  proven: boolean;
  /** Who asked this person; null if the service proposed them. */
  asked_by: Person | null;
  /** The proposal covers all of it; otherwise the rest stays open. */
  complete: boolean;
  /** "Grace takes 24 hours, beside 36 hours on call within two weeks of it." */
  sentence: string;
};

export type Cover = {
  id: string;
  state: CoverState;
  schedule: ScheduleNamed;
  team: TeamNamed;
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  /** Who cannot be on call, or asked for a replacement. */
  person: Person;
  cause: 'absence' | 'asked';
  /** Null for `asked`, and once the record is deleted. `name` is its label. */
  absence: { id: string; name: string; starts_at: string; ends_at: string } | null;
  asked_by: Person | null;
  note: string;
  /** Kept after it was applied. */
  proposal: Proposal | null;
  declined_by: Person[];
  taken_by: Person | null;
  /** Null if no person decided. */
  decided_by: Person | null;
  decided_at: string | null;
  created_at: string;
  updated_at: string;
  /** The cover as a sentence. */
  sentence: string;
  may: {
    take: boolean;
    /** Why the viewer cannot take it; null if they can. */
    take_not: string | null;
    /** Whether the viewer may give it to others: managers, admins, owners. */
    assign: boolean;
    offer: boolean;
    decline: boolean;
    apply: boolean;
    withdraw: boolean;
  };
};

export type CoverList = { covers: Cover[] };
export type CoverShown = { cover: Cover };

/** What was done, as a sentence, and warnings. */
export type CoverAnswer = { message: string; warnings: string[]; cover: Cover };

export type CoversForMe = {
  /** Covers for which the viewer is proposed. */
  asked: Cover[];
  /** Open covers that the viewer could take. */
  open: Cover[];
  /** Covers of the viewer's own shifts. */
  mine: Cover[];
  /** Covers that wait for a manager of the schedule, such as the viewer. */
  to_decide: Cover[];
  /** Swaps that the viewer proposed or was asked for. */
  swaps: Swap[];
};

/** One of the two shifts of a swap. */
export type SwapSide = {
  /** Null if the shift no longer exists. */
  shift_id: string | null;
  schedule: ScheduleNamed;
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  /** Who had it before the swap. */
  person: Person;
};

export type Swap = {
  id: string;
  state: SwapState;
  asked_by: Person;
  note: string;
  given: SwapSide;
  wanted: SwapSide;
  decided_by: Person | null;
  decided_at: string | null;
  created_at: string;
  sentence: string;
  may: {
    accept: boolean;
    /** Why it cannot be accepted now; null if it can. */
    accept_not: string | null;
    decline: boolean;
    withdraw: boolean;
  };
};
export type SwapShown = { swap: Swap };
export type SwapAnswer = { message: string; warnings: string[]; swap: Swap };

export type Candidate = {
  person: Person;
  member: boolean;
  /** No rule is broken. */
  free: boolean;
  /** The broken rule. Managers may override `not_member`; `rest`, `limit` and `elsewhere` only warn. */
  because: 'away' | 'busy' | 'seated' | 'not_member' | 'rest' | 'limit' | 'elsewhere' | 'disabled' | null;
  sentence: string;
  /** A preference that overlaps the shift. */
  wish: 'soft_unavailable' | 'requested' | null;
  /** Hours on call within two weeks before and after. */
  hours_around: number;
};
export type Candidates = {
  shift: {
    id: string;
    stage: number;
    seat: number;
    starts_at: string;
    ends_at: string;
    person: Person | null;
  };
  /** The most suitable person first. */
  candidates: Candidate[];
};

/** A current shift, or a part of one. */
export type ShiftPieceShown = {
  shift_id: string;
  stage: number;
  seat: number;
  starts_at: string;
  ends_at: string;
  person: Person | null;
  planned: Person | null;
  override_id: string | null;
};
export type ShiftAnswer = { message: string; warnings: string[]; shifts: ShiftPieceShown[] };

export const OVERRIDE_ORIGINS = ['file', 'hand', 'cover', 'swap', 'hand_over'] as const;
export type OverrideShown = {
  id: string;
  stage: number;
  seat: number | null;
  user: Person;
  starts_at: string;
  ends_at: string;
  /** `file`: comes from the operator's file and returns unless it is removed there. */
  origin: (typeof OVERRIDE_ORIGINS)[number];
  created_by: Person | null;
  created_at: string;
  may_delete: boolean;
};
export type OverrideList = { overrides: OverrideShown[] };
export type OverrideAnswer = { message: string; warnings: string[]; override: OverrideShown };
