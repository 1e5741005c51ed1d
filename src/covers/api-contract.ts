import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/** Requests and answers for covers, swaps, handing over and overrides. Times are ISO 8601 in UTC. */

export const COVER_STATES = ['open', 'proposed', 'taken', 'applied', 'withdrawn', 'expired'] as const;
/**
 * `open`: without a proposal; `proposed`: the smallest repair waits for an answer; `taken`: a person took it;
 * `applied`: the service applied the proposal; `withdrawn`: no longer needed; `expired`: nobody took it in time.
 */
export const CoverState = Type.Enum(COVER_STATES, { type: 'string' });
export type CoverState = Static<typeof CoverState>;

export const SWAP_STATES = ['proposed', 'accepted', 'declined', 'withdrawn', 'expired'] as const;
export const SwapState = Type.Enum(SWAP_STATES, { type: 'string' });
export type SwapState = Static<typeof SwapState>;

const id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const instant = (description: string) => Type.String({ format: 'instant', description });
const note = Type.Optional(
  Type.String({
    maxLength: 1_000,
    format: 'optional-text',
    description: 'A text of at most 1,000 characters.',
  }),
);

export const SpanQuery = Type.Object({
  from: Type.Optional(instant('Only items that end after this time.')),
  to: Type.Optional(instant('Only items that begin before this time.')),
});
export type SpanQuery = Static<typeof SpanQuery>;

export const CoverQuery = Type.Object({
  from: Type.Optional(instant('Only covers that end after this time; by default, after now.')),
  to: Type.Optional(instant('Only covers that begin before this time.')),
  state: Type.Optional(Type.Array(Type.Enum(COVER_STATES, { type: 'string' }), { maxItems: 6 })),
});
export type CoverQuery = Static<typeof CoverQuery>;

export const TakeBody = Type.Object({
  user: Type.Optional(id('The ID of the person who takes it. By default, the viewer.')),
  starts_at: Type.Optional(instant('When the person takes over. By default, at the start of the cover.')),
  ends_at: Type.Optional(instant('When the person hands back. By default, at the end of the cover.')),
});
export type TakeBody = Static<typeof TakeBody>;

export const OfferToBody = Type.Object({ to: id('The ID of the person to propose it to.') });
export type OfferToBody = Static<typeof OfferToBody>;

export const OfferBody = Type.Object({
  starts_at: Type.Optional(
    instant('The start of the time for which somebody else is needed. By default, the start of the shift.'),
  ),
  ends_at: Type.Optional(instant('The end of that time. By default, the end of the shift.')),
  to: Type.Optional(id('The ID of the person to propose it to first. By default, the best candidate.')),
  note,
});
export type OfferBody = Static<typeof OfferBody>;

export const HandOverBody = Type.Object({
  to: id('The ID of the person who gets the shift.'),
  starts_at: Type.Optional(
    instant('When the person takes over. By default, now or at the start of the shift, whichever is later.'),
  ),
  ends_at: Type.Optional(instant('When the person hands the shift back. By default, at its end.')),
});
export type HandOverBody = Static<typeof HandOverBody>;

export const SwapBody = Type.Object({
  with: id('The ID of the other shift.'),
  starts_at: Type.Optional(
    instant('The start of the part of this shift that is given. By default, the whole shift is given.'),
  ),
  ends_at: Type.Optional(instant('The end of the part of this shift that is given.')),
  note,
});
export type SwapBody = Static<typeof SwapBody>;

export const OverrideBody = Type.Object({
  stage: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  seat: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 20 }), Type.Null()], {
      description: 'A seat of the stage. By default, the one that the person has, or else the first.',
    }),
  ),
  user: id('The ID of the person who is on call.'),
  starts_at: instant('The start of the override.'),
  ends_at: instant('The end of the override.'),
});
export type OverrideBody = Static<typeof OverrideBody>;

/** The most overrides that one request adds or removes. */
export const MOST_CHANGES = 8;
export const ChangesBody = Type.Object({
  remove: Type.Optional(
    Type.Array(id('The ID of an override of this schedule.'), {
      maxItems: MOST_CHANGES,
      description: 'Overrides to remove, before others are added.',
    }),
  ),
  add: Type.Optional(
    Type.Array(OverrideBody, {
      maxItems: MOST_CHANGES,
      description: 'Overrides to add, in this order.',
    }),
  ),
});
export type ChangesBody = Static<typeof ChangesBody>;

const ScheduleNamed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  time_zone: Type.String(),
});
const TeamNamed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
});

/** One change of a seat, proposed or done. */
export const Move = Type.Object({
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  loses: Type.Union([Person, Type.Null()]),
  gains: Person,
});
export type Move = Static<typeof Move>;

export const Proposal = Type.Object({
  moves: Type.Array(Move),
  proven: Type.Boolean({ description: 'Whether no repair with fewer changes covers as much.' }),
  asked_by: Type.Union([Person, Type.Null()], {
    description: 'Who proposed this person; null if the service did.',
  }),
  complete: Type.Boolean({
    description: 'Whether the proposal covers the whole shift; otherwise, the rest stays open.',
  }),
  sentence: Type.String({
    description: 'The burden of the proposal, as sentences.',
  }),
});
export type Proposal = Static<typeof Proposal>;

export const Cover = Type.Object({
  id: Type.String(),
  state: CoverState,
  schedule: ScheduleNamed,
  team: TeamNamed,
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  /** Whose shift it is. */
  person: Person,
  cause: Type.Enum(['absence', 'asked'], {
    type: 'string',
    description:
      'Why somebody else is needed: `absence`, or `asked` if the person or a manager offered the shift.',
  }),
  absence: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        starts_at: Type.String(TIME),
        ends_at: Type.String(TIME),
      }),
      Type.Null(),
    ],
    {
      description:
        'The absence that opened the cover; null for an offered shift, and after the absence was deleted. `name` is its label.',
    },
  ),
  asked_by: Type.Union([Person, Type.Null()], {
    description: 'The person who offered the shift; null for an absence.',
  }),
  note: Type.String(),
  proposal: Type.Union([Proposal, Type.Null()], {
    description: 'The proposed repair, which stays here after it was applied.',
  }),
  declined_by: Type.Array(Person),
  taken_by: Type.Union([Person, Type.Null()]),
  decided_by: Type.Union([Person, Type.Null()], {
    description: 'The person who decided about the cover; null if nobody did.',
  }),
  decided_at: Type.Union([Type.String(TIME), Type.Null()]),
  created_at: Type.String(TIME),
  updated_at: Type.String(TIME),
  sentence: Type.String({ description: 'The cover as a sentence.' }),
  may: Type.Object({
    take: Type.Boolean(),
    take_not: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the viewer cannot take it; null if they can.',
    }),
    assign: Type.Boolean({
      description: 'Whether the viewer may give it to other people.',
    }),
    offer: Type.Boolean(),
    decline: Type.Boolean(),
    apply: Type.Boolean(),
    withdraw: Type.Boolean(),
  }),
});
export type Cover = Static<typeof Cover>;

export const CoverList = Type.Object({
  covers: Type.Array(Cover),
});
export type CoverList = Static<typeof CoverList>;

/** The result as a sentence, and warnings. */
export const CoverAnswer = Type.Object({
  message: Type.String(),
  warnings: Type.Array(Type.String()),
  cover: Cover,
});
export type CoverAnswer = Static<typeof CoverAnswer>;

/** One of the two shifts of a swap. */
export const SwapSide = Type.Object({
  shift_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The ID of the shift; null if it no longer exists.',
  }),
  schedule: ScheduleNamed,
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  /** Who had it before the swap. */
  person: Person,
});
export type SwapSide = Static<typeof SwapSide>;

export const Swap = Type.Object({
  id: Type.String(),
  state: SwapState,
  /** Who proposed the swap. */
  asked_by: Person,
  note: Type.String(),
  given: SwapSide,
  wanted: SwapSide,
  decided_by: Type.Union([Person, Type.Null()]),
  decided_at: Type.Union([Type.String(TIME), Type.Null()]),
  created_at: Type.String(TIME),
  sentence: Type.String(),
  may: Type.Object({
    accept: Type.Boolean(),
    accept_not: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it cannot be accepted now; null if it can.',
    }),
    decline: Type.Boolean(),
    withdraw: Type.Boolean(),
  }),
});
export type Swap = Static<typeof Swap>;

export const CoversForMe = Type.Object({
  asked: Type.Array(Cover, { description: 'Covers for which the viewer is proposed.' }),
  open: Type.Array(Cover, { description: 'Open covers that the viewer could take.' }),
  mine: Type.Array(Cover, { description: 'Covers of the viewer’s own shifts.' }),
  to_decide: Type.Array(Cover, {
    description: 'Covers that wait for a manager of the schedule, if the viewer is one.',
  }),
  swaps: Type.Array(Swap, {
    description: 'Swaps that the viewer proposed, or that somebody proposed to the viewer.',
  }),
});
export type CoversForMe = Static<typeof CoversForMe>;

export const SwapAnswer = Type.Object({
  message: Type.String(),
  warnings: Type.Array(Type.String()),
  swap: Swap,
});
export type SwapAnswer = Static<typeof SwapAnswer>;

export const Candidate = Type.Object({
  person: Person,
  member: Type.Boolean(),
  free: Type.Boolean({ description: 'Whether the person could take the shift without breaking a rule.' }),
  because: Type.Union(
    [
      Type.Enum(
        [
          ...(['away', 'busy', 'seated', 'not_member', 'never', 'not_yet', 'left'] as const),
          ...(['rest', 'limit', 'junior', 'apart', 'alone', 'elsewhere', 'disabled'] as const),
        ],
        { type: 'string' },
      ),
      Type.Null(),
    ],
    {
      description:
        'The broken rule. Managers may override `not_member`; `never`, `not_yet`, `left`, `rest`, `limit`, `junior`, `apart`, `alone` and `elsewhere` only warn.',
    },
  ),
  sentence: Type.String(),
  wish: Type.Union([Type.Enum(['soft_unavailable', 'requested'], { type: 'string' }), Type.Null()], {
    description: 'The preference of the person that overlaps the shift.',
  }),
  hours_around: Type.Number({
    description: 'The hours on call within two weeks before and after the shift.',
  }),
});
export type Candidate = Static<typeof Candidate>;
export const Candidates = Type.Object({
  shift: Type.Object({
    id: Type.String(),
    stage: Type.Number(),
    seat: Type.Integer(),
    starts_at: Type.String(TIME),
    ends_at: Type.String(TIME),
    person: Type.Union([Person, Type.Null()]),
  }),
  candidates: Type.Array(Candidate, { description: 'The people of the schedule, the most suitable first.' }),
});
export type Candidates = Static<typeof Candidates>;

/** A current shift, or a part of one. */
export const ShiftPieceShown = Type.Object({
  shift_id: Type.String(),
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  person: Type.Union([Person, Type.Null()]),
  planned: Type.Union([Person, Type.Null()]),
  override_id: Type.Union([Type.String(), Type.Null()]),
});
export type ShiftPieceShown = Static<typeof ShiftPieceShown>;
export const ShiftAnswer = Type.Object({
  message: Type.String(),
  warnings: Type.Array(Type.String()),
  shifts: Type.Array(ShiftPieceShown),
});
export type ShiftAnswer = Static<typeof ShiftAnswer>;

export const OVERRIDE_ORIGINS = ['file', 'hand', 'cover', 'swap', 'hand_over'] as const;
const OverrideOrigin = Type.Enum(OVERRIDE_ORIGINS, {
  type: 'string',
  description:
    'Where the override comes from. One from the operator’s `file` returns unless it is removed there.',
});
export const OverrideShown = Type.Object({
  id: Type.String(),
  stage: Type.Number(),
  seat: Type.Union([Type.Integer(), Type.Null()]),
  user: Person,
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  origin: OverrideOrigin,
  created_by: Type.Union([Person, Type.Null()]),
  created_at: Type.String(TIME),
  may_delete: Type.Boolean(),
});
export type OverrideShown = Static<typeof OverrideShown>;
export const OverrideList = Type.Object({
  overrides: Type.Array(OverrideShown),
});
export type OverrideList = Static<typeof OverrideList>;
export const OverrideAnswer = Type.Object({
  message: Type.String(),
  warnings: Type.Array(Type.String()),
  override: OverrideShown,
});
export type OverrideAnswer = Static<typeof OverrideAnswer>;
export const ChangesAnswer = Type.Object({
  message: Type.String(),
  warnings: Type.Array(Type.String()),
  added: Type.Array(OverrideShown, { description: 'The new overrides, in the order of `add`.' }),
  removed: Type.Array(OverrideShown, { description: 'The removed overrides, as they were before.' }),
});
export type ChangesAnswer = Static<typeof ChangesAnswer>;

const RULES =
  'A request that breaks a rule (absent, on call elsewhere, too late) is answered 409 with a sentence in `details`.';

export const coversApi = {
  forMe: endpoint('GET /api/covers', {
    summary: 'List covers and swaps that wait for you',
    response: CoversForMe,
  }),
  find: endpoint('GET /api/covers/:id', { summary: 'Find a cover', response: Type.Object({ cover: Cover }) }),
  ofSchedule: endpoint('GET /api/schedules/:id/covers', {
    summary: 'List covers of a schedule',
    query: CoverQuery,
    response: CoverList,
  }),
  take: endpoint('POST /api/covers/:id/take', {
    summary: 'Take a cover, or give it to somebody',
    description: RULES,
    body: TakeBody,
    response: CoverAnswer,
  }),
  offer: endpoint('POST /api/covers/:id/offer', {
    summary: 'Propose a cover to a certain person',
    body: OfferToBody,
    response: CoverAnswer,
  }),
  decline: endpoint('POST /api/covers/:id/decline', {
    summary: 'Decline a cover that was proposed to you',
    description: 'Declines the cover for good. Another person is proposed.',
    response: CoverAnswer,
  }),
  apply: endpoint('POST /api/covers/:id/apply', {
    summary: 'Apply the proposal of a cover',
    response: CoverAnswer,
  }),
  withdraw: endpoint('POST /api/covers/:id/withdraw', {
    summary: 'Withdraw a request for a cover',
    response: CoverAnswer,
  }),
};

export const shiftsApi = {
  candidates: endpoint('GET /api/shifts/:id/candidates', {
    summary: 'List who could have a shift, and why others cannot',
    query: SpanQuery,
    response: Candidates,
  }),
  offer: endpoint('POST /api/shifts/:id/offer', {
    summary: 'Look for a cover of a shift',
    description: RULES,
    body: OfferBody,
    response: CoverAnswer,
    status: [201],
  }),
  handOver: endpoint('POST /api/shifts/:id/hand-over', {
    summary: 'Give a shift to another person at once',
    description: RULES,
    body: HandOverBody,
    response: ShiftAnswer,
  }),
  swap: endpoint('POST /api/shifts/:id/swap', {
    summary: 'Propose to swap two shifts',
    description: RULES,
    body: SwapBody,
    response: SwapAnswer,
    status: [201],
  }),
};

export const swapsApi = {
  find: endpoint('GET /api/swaps/:id', { summary: 'Find a swap', response: Type.Object({ swap: Swap }) }),
  accept: endpoint('POST /api/swaps/:id/accept', { summary: 'Accept a swap', response: SwapAnswer }),
  decline: endpoint('POST /api/swaps/:id/decline', { summary: 'Decline a swap', response: SwapAnswer }),
  withdraw: endpoint('POST /api/swaps/:id/withdraw', { summary: 'Withdraw a swap', response: SwapAnswer }),
};

export const overridesApi = {
  list: endpoint('GET /api/schedules/:id/overrides', {
    summary: 'List overrides of a schedule that have not ended',
    query: SpanQuery,
    response: OverrideList,
  }),
  create: endpoint('POST /api/schedules/:id/overrides', {
    summary: 'Put somebody on call',
    description: RULES,
    body: OverrideBody,
    response: OverrideAnswer,
    status: [201],
  }),
  change: endpoint('POST /api/schedules/:id/overrides/changes', {
    summary: 'Move and resize overrides: remove some and add others, together',
    description: `Does either everything or nothing. To undo it, remove what it added and add what it removed. ${RULES}`,
    body: ChangesBody,
    response: ChangesAnswer,
  }),
  remove: endpoint('DELETE /api/schedules/:id/overrides/:override', {
    summary: 'Remove an override',
    description: 'Removes the override. To undo this, send the `override` of the answer as a POST.',
    response: OverrideAnswer,
  }),
};
