import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME, URL_TEXT } from '../kit/published-contract.ts';
import { ChannelName, Person, Urgency } from '../people/contract.ts';
import { MOST_ACKNOWLEDGE_TIMEOUT_MINUTES } from '../schedules/acknowledge-timeout-contract.ts';
import { DELIVERY_STATES, PAGE_STATES, RESPONDER_KINDS, URGENCIES } from './contract.ts';
import { ActingSource, PAGE_EVENTS, Why } from './event-contract.ts';

/** The dashboard's own API for pages. Times are ISO 8601 in UTC. */

const PageListQuery = Type.Object({
  state: Type.Enum(['open', 'all', ...PAGE_STATES], {
    type: 'string',
    default: 'open',
    description:
      'The state of the pages to list. `open` includes notifying and acknowledged pages, and expired pages until somebody resolves them or pages again.',
  }),
  urgency: Type.Optional(Type.Enum([...URGENCIES], { type: 'string' })),
  team: Type.Optional(Type.String({ maxLength: 100, description: 'The ID of a team.' })),
  whose: Type.Optional(
    Type.Enum(['mine'], { type: 'string', description: 'With `mine`, only pages that notified the viewer.' }),
  ),
  person: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a person, to list only pages that notified this person.',
    }),
  ),
  source: Type.Optional(Type.String({ maxLength: 100, description: 'The ID of a page source.' })),
  key_of: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a page, to list that page and others of its dedup key.',
    }),
  ),
  from: Type.Optional(
    Type.String({ format: 'instant', description: 'Only pages that were raised at this time or later.' }),
  ),
  to: Type.Optional(
    Type.String({ format: 'instant', description: 'Only pages that were raised before this time.' }),
  ),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Words of the title or the text, or beginnings of words, all of which have to match.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'The ID of the last page in the previous answer.' }),
  ),
});
export type PageListQuery = Static<typeof PageListQuery>;

const PeopleBody = Type.Object({
  users: Type.Array(Type.String({ minLength: 1, maxLength: 320, format: 'text' }), {
    minItems: 1,
    maxItems: 50,
    description: 'An array of 1 to 50 user IDs or email addresses.',
  }),
});
export type PeopleBody = Static<typeof PeopleBody>;

/** Exactly one of the two. */
const ReassignBody = Type.Object({
  users: Type.Optional(PeopleBody.properties.users),
  team: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, format: 'text', description: "The team's slug." }),
  ),
});
export type ReassignBody = Static<typeof ReassignBody>;

const DelayMinutes = Type.Integer({
  minimum: 1,
  maximum: MOST_ACKNOWLEDGE_TIMEOUT_MINUTES,
  description: 'A whole number of minutes from 1 to 10080 (one week).',
});

/** Without `minutes`, the acknowledgement lasts as long as a new one. */
const ExtendBody = Type.Object({ minutes: Type.Optional(DelayMinutes) });

const SnoozeBody = Type.Object({ minutes: DelayMinutes });

/** Expired pages to mark as handled together. */
const HandledBody = Type.Object({
  pages: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 200,
    description: 'An array of page IDs.',
  }),
});
const CommentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 10_000, format: 'text' }),
});

const Time = Type.String(TIME);
const Id = Type.String();
const Named = Type.Object({ id: Id, name: Type.String() });
const Stage = Nullable(Type.Number());
const As = Type.Enum(RESPONDER_KINDS, { type: 'string' });
const State = Type.Enum(PAGE_STATES, { type: 'string' });
const Failure = Nullable(Type.String());

export const PageSummary = Type.Object({
  id: Id,
  kind: Type.Enum(['team', 'person'], { type: 'string' }),
  title: Type.String(),
  text: Type.String({ description: 'The text of the page; in lists, only its beginning.' }),
  urgency: Urgency,
  state: State,
  round: Type.Integer(),
  last_round: Type.Integer({ description: 'The number of rounds after which the page expires.' }),
  source_url: Nullable(Type.String(URL_TEXT)),
  source: Nullable(Named, 'The page source that raised it; null for pages that people and programs raised.'),
  dedup_key: Nullable(Type.String()),
  drill: Type.Boolean({
    description: 'Whether the page is a drill, which only tries who answers and is left out of reports.',
  }),
  team: Nullable(Type.Object({ ...Named.properties, slug: Type.String() })),
  person: Nullable(Person, 'The recipient of a page to a person.'),
  raised_by: Nullable(Person),
  created_at: Time,
  acknowledged_at: Nullable(Time),
  acknowledged_by: Nullable(Person),
  acknowledged_by_source: Nullable(
    ActingSource,
    'The page source that acknowledged it, with the person whom its call named.',
  ),
  acknowledged_via: Nullable(Type.String()),
  resolved_at: Nullable(Time),
  resolved_by: Nullable(Person),
  resolved_by_source: Nullable(ActingSource),
  expired_at: Nullable(Time),
  unanswered: Type.Boolean({
    description: 'Whether it expired and nobody has resolved it or paged again since.',
  }),
  again_of: Nullable(Id, 'The unanswered page that this one repeats; null if it repeats none.'),
  paged_again: Nullable(
    Type.Object({ id: Id, state: State, at: Time }),
    'The last page that repeats this one; null if none does.',
  ),
  notified: Type.Array(
    Type.Object({
      person: Person,
      as: As,
      stage: Stage,
      at: Time,
      awaited: Type.Boolean({
        description: 'The people who were added to the acknowledged page and have not answered.',
      }),
    }),
    { description: 'The people who were notified in this round, in the order in which they were notified.' },
  ),
  channels: Type.Array(
    Type.Object({ channel: ChannelName, state: Type.Enum(DELIVERY_STATES, { type: 'string' }) }),
    { description: 'For each channel, the most advanced state of its deliveries.' },
  ),
  remind_at: Nullable(
    Time,
    'When the acknowledgement times out or the snooze ends; the person who acknowledged is then notified again.',
  ),
  next: Nullable(
    Type.Object({
      at: Time,
      kind: Type.Enum(['stage', 'backstop', 'person', 'members', 'expire'], { type: 'string' }),
      stage: Stage,
      round: Type.Integer(),
    }),
    'What happens if nobody answers.',
  ),
  mine: Type.Boolean({ description: 'Whether the viewer was notified.' }),
  may_act: Type.Boolean({ description: 'Whether the viewer may act on the page.' }),
  may_silence: Type.Boolean({
    description:
      'Whether the viewer may silence the alert of the page; false for pages that no source raised.',
  }),
});
export type PageSummary = Static<typeof PageSummary>;

const PageList = Type.Object({ pages: Type.Array(PageSummary), has_more: Type.Boolean() });

const AllClearState = Type.Enum(['waiting', 'sent', 'failed', 'cancelled'], {
  type: 'string',
  description:
    'The state of an all-clear; `cancelled` if the page was reopened or the time was up before a provider accepted it.',
});
export type AllClearState = Static<typeof AllClearState>;

/** The person who acted. */
const by = { at: Time, by: Nullable(Person) };
/** The person concerned. */
const person = { at: Time, person: Nullable(Person) };
/** The delivery that an entry is about. Its address is shortened, so that it can be recognised but not misused. */
const delivery = {
  at: Time,
  person: Person,
  channel: ChannelName,
  address: Type.String(),
  delivery_id: Id,
};
const people = Type.Array(Person);

/** What happened to a page. The data of events is that of `PAGE_EVENTS`, with people instead of their ids. */
const TimelineEntry = Type.Union([
  Type.Object({
    kind: Type.Literal('raised'),
    ...by,
    request_id: Id,
    ...PAGE_EVENTS.raised.properties,
  }),
  Type.Object({ kind: Type.Literal('repeated'), at: Time, ...PAGE_EVENTS.repeated.properties }),
  Type.Object({
    kind: Type.Literal('urgency_raised'),
    at: Time,
    ...PAGE_EVENTS.urgency_raised.properties,
  }),
  Type.Object({ kind: Type.Literal('came_back'), at: Time, ...PAGE_EVENTS.came_back.properties }),
  Type.Object({ kind: Type.Literal('gap'), at: Time, ...PAGE_EVENTS.gap.properties }),
  Type.Object({ kind: Type.Literal('stand_by'), at: Time, ...PAGE_EVENTS.stand_by.properties }),
  Type.Object({ kind: Type.Literal('duplicate'), at: Time, ...PAGE_EVENTS.duplicate.properties }),
  Type.Object({ kind: Type.Literal('failed'), at: Time, ...PAGE_EVENTS.failed.properties }),
  Type.Object({ kind: Type.Literal('unreachable'), ...person, ...PAGE_EVENTS.unreachable.properties }),
  Type.Object({ kind: Type.Literal('disabled'), ...person, ...PAGE_EVENTS.disabled.properties }),
  Type.Object({ kind: Type.Literal('reminded'), ...person, ...PAGE_EVENTS.reminded.properties }),
  Type.Object({ kind: Type.Literal('acknowledged'), ...by, ...PAGE_EVENTS.acknowledged.properties }),
  Type.Object({ kind: Type.Literal('resolved'), ...by, ...PAGE_EVENTS.resolved.properties }),
  Type.Object({ kind: Type.Literal('escalated'), ...by, ...PAGE_EVENTS.escalated.properties }),
  Type.Object({ kind: Type.Literal('answered_late'), ...by, ...PAGE_EVENTS.answered_late.properties }),
  Type.Object({ kind: Type.Literal('unacknowledged'), ...by, ...PAGE_EVENTS.unacknowledged.properties }),
  Type.Object({ kind: Type.Literal('reopened'), ...by, ...PAGE_EVENTS.reopened.properties }),
  Type.Object({ kind: Type.Literal('joined'), ...by, ...PAGE_EVENTS.joined.properties }),
  Type.Object({ kind: Type.Literal('extended'), ...by, ...PAGE_EVENTS.extended.properties }),
  Type.Object({ kind: Type.Literal('snoozed'), ...by, ...PAGE_EVENTS.snoozed.properties }),
  Type.Object({ kind: Type.Literal('undone'), ...by, ...PAGE_EVENTS.undone.properties }),
  Type.Object({ kind: Type.Literal('added'), ...by, ...PAGE_EVENTS.added.properties, people }),
  Type.Object({ kind: Type.Literal('reassigned'), ...by, ...PAGE_EVENTS.reassigned.properties, people }),
  Type.Object({ kind: Type.Literal('comment'), ...by, ...PAGE_EVENTS.comment.properties }),
  Type.Object({ kind: Type.Literal('paged_again'), ...by, ...PAGE_EVENTS.paged_again.properties }),
  Type.Object({ kind: Type.Literal('expired'), at: Time, notified: people }),
  Type.Object({
    kind: Type.Literal('notified'),
    at: Time,
    person: Person,
    as: As,
    stage: Stage,
    round: Type.Integer(),
    why: Why,
  }),
  Type.Object({
    kind: Type.Literal('attempt'),
    ...delivery,
    attempt: Type.Integer(),
    outcome: Nullable(Type.Enum(['accepted', 'refused', 'retry', 'unknown'], { type: 'string' })),
    ended_at: Nullable(Time),
    provider_id: Nullable(Type.String()),
    error: Failure,
    repeat: Type.Boolean(),
    receipt: Nullable(Type.String()),
    receipt_at: Nullable(Time),
    next_at: Nullable(Time, 'When the notification is retried.'),
  }),
  Type.Object({ kind: Type.Literal('not_sent'), ...delivery, error: Failure }),
  Type.Object({ kind: Type.Literal('bundled'), ...delivery, into: Nullable(Id) }),
  Type.Object({ kind: Type.Literal('all_clear'), ...delivery, state: AllClearState, error: Failure }),
  Type.Object({ kind: Type.Literal('cancelled'), at: Time, count: Type.Integer() }),
]);
export type TimelineEntry = Static<typeof TimelineEntry>;

const UpcomingEntry = Type.Union([
  Type.Object({
    kind: Type.Literal('attempt'),
    at: Time,
    person: Person,
    channel: ChannelName,
    address: Type.String(),
    again: Type.Boolean(),
  }),
  Type.Object({
    kind: Type.Literal('notify'),
    at: Time,
    as: As,
    stage: Stage,
    round: Type.Integer(),
    people,
  }),
  Type.Object({ kind: Type.Literal('expire'), at: Time }),
]);
export type UpcomingEntry = Static<typeof UpcomingEntry>;

/** Another page of the same dedup key. */
const PageOfKey = Type.Object({ id: Id, state: State, created_at: Time });
export type PageOfKey = Static<typeof PageOfKey>;

const PageRelated = Type.Object(
  {
    previous: Nullable(PageOfKey, 'The page of the same dedup key before it.'),
    later: Nullable(PageOfKey, 'The page of the same dedup key after it.'),
    pages_in_a_day: Type.Integer({
      description:
        'The number of pages of the dedup key within the 24 hours before this one, including this one, up to 100.',
    }),
    moments: Type.Array(Type.Object({ ...Named.properties, state: Type.String() }), {
      description: 'The latest 10 moments that are linked with it, latest first.',
    }),
    handoffs: Type.Array(
      Type.Object({
        schedule: Named,
        note: Nullable(
          Type.Object({ id: Id, at: Time }),
          'The note of the first hand-off after the page was raised; null while that hand-off is ahead.',
        ),
      }),
      { description: 'The hand-offs, at most 5, whose notes list the page.' },
    ),
  },
  { description: 'Further facts about the alert that raised the page.' },
);
export type PageRelated = Static<typeof PageRelated>;

const PageDetail = Type.Object({
  page: PageSummary,
  related: PageRelated,
  timeline: Type.Array(TimelineEntry),
  upcoming: Type.Array(UpcomingEntry, {
    description: 'What will happen if nobody answers, soonest first.',
  }),
  proof: Type.Object({ attempts: Type.Integer(), receipts: Type.Integer(), repeats: Type.Integer() }),
});
export type PageDetail = Static<typeof PageDetail>;

const ActionAnswer = Type.Object({
  changed: Type.Boolean({ description: 'Whether the page changed; false if it was already in this state.' }),
  message: Type.String(),
  page: PageSummary,
});

export const pagesApi = {
  list: endpoint('GET /api/pages', {
    summary: 'List pages',
    description: 'Lists them newest first.',
    query: PageListQuery,
    response: PageList,
  }),
  show: endpoint('GET /api/pages/:id', {
    summary: 'Show a page with its timeline and what happens next',
    response: PageDetail,
  }),
  handled: endpoint('POST /api/pages/handled', {
    summary: 'Mark expired pages as handled',
    body: HandledBody,
    response: Type.Object({
      handled: Type.Integer({
        description: 'The number of pages that nobody else had handled in the meantime.',
      }),
    }),
  }),
  acknowledge: endpoint('POST /api/pages/:id/acknowledge', {
    summary: 'Acknowledge a page',
    response: ActionAnswer,
  }),
  resolve: endpoint('POST /api/pages/:id/resolve', { summary: 'Resolve a page', response: ActionAnswer }),
  escalate: endpoint('POST /api/pages/:id/escalate', {
    summary: 'Escalate a page to the next stage',
    response: ActionAnswer,
  }),
  unacknowledge: endpoint('POST /api/pages/:id/unacknowledge', {
    summary: 'Un-acknowledge a page',
    description:
      'Starts a new round, which notifies the people to whom the page was last reassigned, otherwise the people on call now.',
    response: ActionAnswer,
  }),
  reopen: endpoint('POST /api/pages/:id/reopen', {
    summary: 'Reopen a resolved or expired page',
    description:
      'Starts a new round, which notifies the people to whom the page was last reassigned, otherwise the people on call now.',
    response: ActionAnswer,
  }),
  undo: endpoint('POST /api/pages/:id/undo', {
    summary: 'Undo your acknowledgement or resolution',
    description: 'Restores the state before, within 30 seconds.',
    response: ActionAnswer,
  }),
  responders: endpoint('POST /api/pages/:id/responders', {
    summary: 'Add people to a page',
    body: PeopleBody,
    response: ActionAnswer,
  }),
  reassign: endpoint('POST /api/pages/:id/reassign', {
    summary: 'Reassign a page to people or to a team',
    body: ReassignBody,
    response: ActionAnswer,
  }),
  extend: endpoint('POST /api/pages/:id/extend', {
    summary: 'Extend the acknowledgement of a page',
    body: ExtendBody,
    response: ActionAnswer,
  }),
  snooze: endpoint('POST /api/pages/:id/snooze', {
    summary: 'Snooze an acknowledged page',
    body: SnoozeBody,
    response: ActionAnswer,
  }),
  comments: endpoint('POST /api/pages/:id/comments', {
    summary: 'Comment on a page',
    body: CommentBody,
    response: ActionAnswer,
  }),
};
