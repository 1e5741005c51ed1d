import { type Static, Type } from 'typebox';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import type { ChannelName } from '../notifications/channels/contract.ts';
import { RESPONDER_KINDS } from './responder-contract.ts';
import { PAGE_STATES } from './state-contract.ts';
import { Urgency } from './urgency-contract.ts';

/** How somebody acted on a page. */
export type Via = ChannelName | 'dashboard' | 'link' | 'api' | 'source';
const Via = Type.Unsafe<Via>({
  type: 'string',
  description: 'The way: a channel, `dashboard`, `link`, `api` or `source`.',
});

/** A page source that acts on a page. */
export const ActingSource = Type.Object({
  id: Type.String(),
  name: Type.String(),
  as: Nullable(Type.String(), 'The person whom its call names.'),
});
export type ActingSource = Static<typeof ActingSource>;

const Texts = Type.Unsafe<readonly string[]>(Type.Array(Type.String()));
const UserIds = Texts;
const Round = Type.Integer({ minimum: 1 });
/** Why a person is notified. */
export const Why = Type.Record(Type.String(), Type.Unknown());
const Notified = Type.Object({
  user_id: Type.String(),
  as: Type.Enum(RESPONDER_KINDS, { type: 'string' }),
  stage: Nullable(Type.Number()),
  why: Why,
});

const Acted = Type.Object({ via: Via, source: Type.Optional(ActingSource) });
export type Acted = Static<typeof Acted>;
const Answered = Type.Object({ ...Acted.properties, from: Type.Enum(PAGE_STATES, { type: 'string' }) });
const Postponed = Type.Object({ ...Acted.properties, until: Type.String(TIME) });

/**
 * The events of a page and their data, as stored in `page_events`. The code that writes events, the timeline and the
 * dashboard all use this declaration. Events also name a user: the person who acted or, for `unreachable`, `disabled`
 * and `reminded`, the person concerned.
 */
export const PAGE_EVENTS = {
  raised: Type.Object({
    source: Type.Optional(ActingSource),
    reasons: Type.Optional(
      Type.Unsafe<readonly string[]>(
        Type.Array(Type.String(), { description: 'What the rules of the source decided about the event.' }),
      ),
    ),
    previous_page_id: Type.Optional(Type.String({ description: 'The previous page of the same dedup key.' })),
    drill: Type.Optional(Type.Boolean({ description: 'Whether the page is a drill.' })),
  }),
  /** Events with the dedup key of this page that changed nothing else. */
  repeated: Type.Object({
    action: Type.Enum(['trigger', 'acknowledge', 'unacknowledge', 'resolve'], { type: 'string' }),
    count: Type.Integer(),
    until: Type.String({ ...TIME, description: 'The time of the last one.' }),
    source: Type.Optional(ActingSource),
  }),
  urgency_raised: Type.Object({
    from: Urgency,
    to: Urgency,
    reasons: Texts,
    source: Type.Optional(ActingSource),
  }),
  /** The same dedup key raised another page after this one had ended. */
  came_back: Type.Object({ page_id: Type.String() }),
  notified: Type.Object({
    round: Round,
    people: Type.Unsafe<readonly Static<typeof Notified>[]>(Type.Array(Notified)),
  }),
  /** Nobody is on call in this stage, so it was skipped. */
  gap: Type.Object({ round: Round, stage: Type.Number() }),
  unreachable: Type.Object({ round: Round }),
  disabled: Type.Object({
    cancelled: Type.Integer({ description: 'The number of cancelled notifications.' }),
    acknowledged: Type.Optional(
      Type.Boolean({ description: 'The person who had acknowledged the page, which notifies again.' }),
    ),
  }),
  acknowledged: Answered,
  resolved: Answered,
  escalated: Type.Object({
    ...Acted.properties,
    delivery_id: Type.Optional(
      Type.String({ description: 'The notification that was answered with “escalate”.' }),
    ),
  }),
  /** Somebody acknowledged the page after it had expired. */
  answered_late: Acted,
  unacknowledged: Acted,
  reopened: Acted,
  /** A person who was added to an acknowledged page answered. */
  joined: Acted,
  extended: Postponed,
  snoozed: Postponed,
  /** The acknowledgement timed out, or the snooze ended. */
  reminded: Type.Object({ snoozed: Type.Boolean() }),
  undone: Type.Object({
    ...Acted.properties,
    what: Type.Enum(['acknowledgement', 'resolution'], { type: 'string' }),
  }),
  added: Type.Object({ ...Acted.properties, people: UserIds }),
  /** To people, or to a team. */
  reassigned: Type.Object({
    ...Acted.properties,
    people: UserIds,
    team: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
  }),
  comment: Type.Object({ text: Type.String(), source: Type.Optional(ActingSource) }),
  /** `told`: the people notified of the expiry. */
  expired: Type.Object({ round: Round, told: UserIds }),
  paged_again: Type.Object({ page_id: Type.String({ description: 'The page that repeats this one.' }) }),
  failed: Type.Object({ message: Type.String() }),
  /** The database was away, and the lifeboat of this node notified people. */
  stand_by: Type.Object({
    node: Type.String(),
    copied_at: Type.String({
      ...TIME,
      description: 'The time of the copy of people and schedules that it worked with.',
    }),
  }),
  /** Another page has the same request or dedup key. */
  duplicate: Type.Object({
    page_id: Type.String(),
    kept: Type.Boolean({ description: 'Whether this page went on and the other one ended.' }),
    node: Type.String(),
  }),
};
export type PageEventData = {
  [Kind in keyof typeof PAGE_EVENTS]: Static<(typeof PAGE_EVENTS)[Kind]>;
};

export type PageEventKind = keyof PageEventData;

/** An event of one of these kinds, with its data. */
export type PageEventOf<Kind extends PageEventKind> = Kind extends PageEventKind
  ? { kind: Kind; data: PageEventData[Kind] }
  : never;
