import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/** Requests and answers about plans. Times are ISO 8601 in UTC; docs/planning.md explains points and shares. */

export const DraftBody = Type.Object({
  /** Shifts that begin earlier stay as they are. Default: three days from now. */
  from: Type.Optional(Type.String({ format: 'instant' })),
  /**
   * `keep` moves only shifts that have to move. `fresh` assigns all shifts again, as equally as possible, and prefers
   * the published person only between equals.
   */
  freedom: Type.Enum(['keep', 'fresh'], { type: 'string', default: 'fresh' }),
});
export type DraftBody = Static<typeof DraftBody>;

const PublishBody = Type.Object({
  /** The draft that the user reviewed, so that no other draft is published by mistake. */
  draft: Type.String({ maxLength: 100 }),
});
export type PublishBody = Static<typeof PublishBody>;

/** What a plan costs, in points; less is better. `requested` is negative. */
const PlanTerms = Type.Object({
  uncovered: Type.Number(),
  unanswered: Type.Number(),
  moved: Type.Number(),
  movedSoon: Type.Number({
    description: 'The surcharge for moving published shifts that begin within three days.',
  }),
  soft: Type.Number(),
  elsewhere: Type.Number(),
  requested: Type.Number(),
  backToBack: Type.Number(),
  shares: Type.Number(),
});
export type PlanTerms = Static<typeof PlanTerms>;

const PlanFigures = Type.Object({
  origin: Type.Enum(['optimal', 'time_limit', 'greedy'], {
    type: 'string',
    description:
      'How the plan was found: `optimal` is proven to be the best, `time_limit` was the best when time ran out, and `greedy` is one for which the solver found nothing better.',
  }),
  objective: Type.Number(),
  terms: PlanTerms,
  bound: Type.Union([Type.Number(), Type.Null()], {
    description: 'A proven lower bound on the cost of any plan; null if nothing was proven.',
  }),
  gap: Type.Union([Type.Number(), Type.Null()], {
    description:
      'The fraction by which the cost may exceed the best possible one: 0 if the plan is proven to be the best, null if nothing was proven.',
  }),
  seconds: Type.Number(),
  solver: Type.String({ description: 'The name and version of the solver.' }),
  sentence: Type.String({ description: 'The figures as a sentence.' }),
});
export type PlanFigures = Static<typeof PlanFigures>;

export const PlanState = Type.Enum(['waiting', 'solving', 'draft', 'published', 'discarded', 'failed'], {
  type: 'string',
});
export type PlanState = Static<typeof PlanState>;

export const PlanHead = Type.Object({
  id: Type.String(),
  state: PlanState,
  created_at: Type.String(TIME),
  created_by: Type.Union([Person, Type.Null()], {
    description: 'The person who made it; null if the service or the command line did.',
  }),
  published_at: Type.Union([Type.String(TIME), Type.Null()]),
  published_by: Type.Union([Person, Type.Null()]),
  starts_at: Type.String({ ...TIME, description: 'The time that the plan spans.' }),
  ends_at: Type.String(TIME),
  figures: Type.Union([PlanFigures, Type.Null()], {
    description: "The solver's figures; null until the plan is solved, and for rotations.",
  }),
});
export type PlanHead = Static<typeof PlanHead>;

/** A time at which a stage has nobody on call. */
export const PlanGap = Type.Object({
  stage: Type.Number(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  sentence: Type.String({ description: 'Why nobody could be planned, as a sentence.' }),
  backstop: Type.Union([Person, Type.Null()], { description: 'The backstop, who answers instead.' }),
});
export type PlanGap = Static<typeof PlanGap>;

export const PlanAnswer = Type.Object({
  plan: Type.Union([PlanHead, Type.Null()]),
  gaps: Type.Array(PlanGap),
});
export type PlanAnswer = Static<typeof PlanAnswer>;

export const DraftProgress = Type.Object({
  seconds: Type.Number(),
  limit_seconds: Type.Number({ description: 'The time limit of the solver.' }),
  objective: Type.Union([Type.Number(), Type.Null()], {
    description: 'The penalty points of the best plan so far; null until there is one.',
  }),
  gap: Type.Union([Type.Number(), Type.Null()]),
});
export type DraftProgress = Static<typeof DraftProgress>;

export const ShiftChange = Type.Object({
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  before: Type.Union([Person, Type.Null()]),
  after: Type.Union([Person, Type.Null()]),
});
export type ShiftChange = Static<typeof ShiftChange>;

/** The kinds overlap: a night may be on a weekend. */
export const Tally = Type.Object({
  shifts: Type.Number(),
  hours: Type.Number(),
  nights: Type.Number(),
  weekends: Type.Number(),
  holidays: Type.Number(),
});
export type Tally = Static<typeof Tally>;

export const PersonPreview = Type.Object({
  person: Person,
  /** Totals over the time that the draft plans. */
  before: Tally,
  after: Tally,
  gains: Tally,
  loses: Tally,
  sentence: Type.String({
    description: 'The change in words, such as “gains 2 shifts (1 night), loses 1 shift (1 weekend)”.',
  }),
});
export type PersonPreview = Static<typeof PersonPreview>;

export const OtherPerson = Type.Object({
  person: Person,
  cost: Type.Number({ description: 'The points by which the plan would be worse.' }),
  swap: Type.Union(
    [
      Type.Object({
        stage: Type.Number(),
        starts_at: Type.String(TIME),
        ends_at: Type.String(TIME),
      }),
      Type.Null(),
    ],
    { description: 'The shift that would go the other way, because they cannot have both.' },
  ),
  sentence: Type.String(),
});
export type OtherPerson = Static<typeof OtherPerson>;

const RefusedBecause = Type.Enum(
  [
    ...(['unavailable', 'never', 'not_yet', 'left', 'rest', 'busy', 'needed'] as const),
    ...(['seated', 'limit', 'elsewhere', 'junior', 'apart', 'alone'] as const),
  ],
  { type: 'string' },
);
export type RefusedBecause = Static<typeof RefusedBecause>;

export const ShiftReason = Type.Object({
  rule: Type.Enum(['turn', 'owed', 'least', 'nobody'], {
    type: 'string',
    description:
      'Why the person has the shift: `turn` is next in the order, `owed` makes up for a skipped turn, `least` is best for equal shares and preferences, and `nobody` is a gap.',
  }),
  sentence: Type.String(),
  others: Type.Array(OtherPerson, {
    description: 'The other people who could have had the shift, the cheapest first.',
  }),
  refused: Type.Array(
    Type.Object({
      person: Person,
      because: RefusedBecause,
      sentence: Type.String(),
    }),
    { description: 'The members who could not have had the shift, and why.' },
  ),
});
export type ShiftReason = Static<typeof ShiftReason>;

const DraftShift = Type.Object({
  stage: Type.Number(),
  seat: Type.Integer(),
  starts_at: Type.String(TIME),
  ends_at: Type.String(TIME),
  person: Type.Union([Person, Type.Null()]),
  reason: Type.Union([ShiftReason, Type.Null()]),
});
export type DraftShift = Static<typeof DraftShift>;

export const Preview = Type.Object({
  summary: Type.String({
    description: 'The change as a sentence, such as “7 shifts change hands, which concerns 4 people.”',
  }),
  changes: Type.Array(ShiftChange, {
    description: 'The shifts that change hands, by start; `before` or `after` is null for nobody.',
  }),
  people: Type.Array(PersonPreview, {
    description: 'The members of the schedule, those with the largest changes first.',
  }),
  gaps: Type.Array(PlanGap),
  shifts: Type.Array(DraftShift, { description: 'All shifts of the draft.' }),
});
export type Preview = Static<typeof Preview>;

export const Draft = Type.Object({
  ...PlanHead.properties,
  freedom: Type.Enum(['keep', 'fresh'], { type: 'string' }),
  progress: Type.Union([DraftProgress, Type.Null()], {
    description: 'The progress, while the draft is waiting or being solved; otherwise null.',
  }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'What happened and what to do, if planning failed; otherwise null.',
  }),
  outdated: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why the draft can no longer be published but only be discarded or made again, as a sentence; null if it can.',
  }),
  preview: Type.Union([Preview, Type.Null()], {
    description: 'The changes that the draft would make, once it is solved; otherwise null.',
  }),
});
export type Draft = Static<typeof Draft>;

export const DraftAnswer = Type.Object({
  draft: Type.Union([Draft, Type.Null()]),
});
export type DraftAnswer = Static<typeof DraftAnswer>;

const ReasonAnswer = Type.Object({
  shift_id: Type.String(),
  reason: Type.Union([ShiftReason, Type.Null()]),
});
export type ReasonAnswer = Static<typeof ReasonAnswer>;

export const plansApi = {
  inForce: endpoint('GET /api/schedules/:id/plan', {
    summary: 'Show the plan in force, and the coming gaps',
    response: PlanAnswer,
  }),
  draft: endpoint('GET /api/schedules/:id/plan/draft', {
    summary: 'Show the draft of a schedule with its progress or preview',
    response: DraftAnswer,
  }),
  startDraft: endpoint('POST /api/schedules/:id/plan/draft', {
    summary: 'Start a draft',
    description: 'Starts a draft and discards an older one.',
    body: DraftBody,
    response: DraftAnswer,
    status: [201],
  }),
  publish: endpoint('POST /api/schedules/:id/plan/publish', {
    summary: 'Publish a draft',
    description: 'Publishes the draft, or answers 409 if the data from which it was made has changed.',
    body: PublishBody,
    response: PlanAnswer,
  }),
  discard: endpoint('POST /api/schedules/:id/plan/discard', {
    summary: 'Discard the draft',
    response: DraftAnswer,
  }),
  reason: endpoint('GET /api/shifts/:id/reason', {
    summary: 'Explain why a person has a shift',
    response: ReasonAnswer,
  }),
};
