import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { EVENT_TOPICS } from '../notices/contract.ts';
import { CHANNELS, type ChannelName, MethodType } from '../notifications/channels/contract.ts';

/** What the dashboard reads and sends about contact methods. Times are ISO 8601 in UTC. */

export const NewMethodBody = Type.Object({
  type: Type.String({ maxLength: 100 }),
  value: Type.String({ maxLength: 5_000 }),
  /** Slack's member id, for chat. */
  chat_user_id: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type NewMethodBody = Static<typeof NewMethodBody>;

/** The events that a webhook gets besides pages. */
export const EventsOfMethod = Type.Array(Type.Enum([...EVENT_TOPICS], { type: 'string' }), {
  maxItems: EVENT_TOPICS.length,
  uniqueItems: true,
  description:
    'The events of your teams that a webhook gets: some of `moments` and `shifts`, or an empty array for none.',
});

export const MethodChangeBody = Type.Object(
  { notices: Type.Optional(Type.Boolean()), events: Type.Optional(EventsOfMethod) },
  { minProperties: 1 },
);
export type MethodChangeBody = Static<typeof MethodChangeBody>;

/** Every contact method once, in the new order. */
const MethodOrderBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 }),
});
export type MethodOrderBody = Static<typeof MethodOrderBody>;

const CodeBody = Type.Object({ code: Type.String({ maxLength: 100 }) });
export type CodeBody = Static<typeof CodeBody>;

/** One of the channels of the method. Default: the first that is set up; for a phone, that is SMS. */
const ByBody = Type.Object({ by: Type.Optional(Type.Enum(CHANNELS, { type: 'string' })) });
export type ByBody = Static<typeof ByBody>;

export const MethodShown = Type.Object({
  id: Type.String(),
  type: MethodType,
  value: Type.String({ description: 'The address; of a push subscription, the host of its push service.' }),
  chat_user_id: Type.Union([Type.String(), Type.Null()]),
  verified: Type.Boolean(),
  notices: Type.Boolean({ description: 'Whether the contact method gets notices as well as pages.' }),
  events: Type.Array(Type.Enum([...EVENT_TOPICS], { type: 'string' }), {
    description: 'The events that a webhook gets as well as pages.',
  }),
  obstacle: Type.Union([Type.String(), Type.Null()], {
    description: 'Why nothing can be sent to it; null if something can.',
  }),
  proved_at: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'When the person last entered a code that was sent there.',
  }),
  reached_at: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'When a provider last accepted a page for the contact method.',
  }),
  failing: Type.Union(
    [
      Type.Object({
        at: Type.String(TIME),
        error: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'Why the latest page to the contact method failed; null if it did not fail.' },
  ),
  created_at: Type.String(TIME),
});
export type MethodShown = Static<typeof MethodShown>;

/** Whether a page for a person would arrive now, and through which channels. */
export const ReachShown = Type.Object({
  reachable: Type.Boolean(),
  reachable_by: Type.Union([Type.Enum(['contact_method', 'dashboard'], { type: 'string' }), Type.Null()], {
    description: 'The way to reach them. `dashboard` means only because one is open; null means not at all.',
  }),
  why_not: Type.Union([Type.String(), Type.Null()], {
    description: 'Why no contact method can reach them, as a sentence; null if one can.',
  }),
});
export type ReachShown = Static<typeof ReachShown>;

export const MethodList = Type.Object({
  ...ReachShown.properties,
  contact_methods: Type.Array(MethodShown),
  /** Channels that are not set up, with a sentence that names the fix. */
  unavailable: Type.Unsafe<Partial<Record<ChannelName, string>>>(Type.Record(Type.String(), Type.String())),
});
export type MethodList = Static<typeof MethodList>;

/** Whether the provider accepted a message, and its error if not. */
export const SentShown = Type.Object({
  sent: Type.Boolean(),
  error: Type.Union([Type.String(), Type.Null()]),
});
export type SentShown = Static<typeof SentShown>;

/** A new method, whose code is being sent. */
export const AddedMethod = Type.Object({
  id: Type.String(),
  code: SentShown,
  signing_secret: Type.Union([Type.String(), Type.Null()], {
    description: 'The secret that signs every call of a webhook, which is shown only once.',
  }),
});
export type AddedMethod = Static<typeof AddedMethod>;

/** A code has six digits and is valid for ten minutes and five attempts. */
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;

export const methodsApi = {
  list: endpoint('GET /api/contact-methods', { summary: 'List your contact methods', response: MethodList }),
  add: endpoint('POST /api/contact-methods', {
    summary: 'Add a contact method',
    description: 'Adds a contact method and sends a code to it. A webhook gets a signing secret instead.',
    body: NewMethodBody,
    response: AddedMethod,
    status: [201],
  }),
  reorder: endpoint('PUT /api/contact-methods/order', {
    summary: 'Put your contact methods in order',
    body: MethodOrderBody,
    response: MethodList,
  }),
  change: endpoint('PATCH /api/contact-methods/:id', {
    summary: 'Choose whether a contact method gets notices, and a webhook events',
    body: MethodChangeBody,
    response: MethodList,
  }),
  remove: endpoint('DELETE /api/contact-methods/:id', {
    summary: 'Remove a contact method',
    response: MethodList,
  }),
  sendCode: endpoint('POST /api/contact-methods/:id/code', {
    summary: 'Send a new code to a contact method',
    body: ByBody,
    response: SentShown,
  }),
  verify: endpoint('POST /api/contact-methods/:id/verify', {
    summary: 'Verify a contact method with its code',
    body: CodeBody,
    response: MethodList,
  }),
  sendTest: endpoint('POST /api/contact-methods/:id/test', {
    summary: 'Send a test to a contact method',
    body: ByBody,
    response: SentShown,
  }),
  renewSecret: endpoint('POST /api/contact-methods/:id/secret', {
    summary: 'Give a webhook a new signing secret',
    response: Type.Object({ signing_secret: Type.String() }),
  }),
};
