import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { EMAIL, PUBLISHED, TIME } from '../kit/published-contract.ts';
import { CHANNELS } from '../notifications/channels/contract.ts';
import { PAGE_ACTIONS, PAGE_STATES } from './state-contract.ts';
import { URGENCIES, type Urgency } from './urgency-contract.ts';

export { RESPONDER_KINDS, type ResponderKind } from './responder-contract.ts';
export { PAGE_STATES, type PageAction, type PageState } from './state-contract.ts';
export { URGENCIES, type Urgency } from './urgency-contract.ts';

export const DELIVERY_STATES = [
  'waiting',
  'sending',
  'retrying',
  'accepted',
  'delivered',
  'failed',
  'cancelled',
  'bundled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How long a person can undo their acknowledgement or resolution. */
export const UNDO_SECONDS = 30;

const fields = {
  title: Type.String({
    minLength: 1,
    maxLength: 200,
    ...ONE_LINE,
    description: 'Short summary of the reason for the page.',
  }),
  text: Type.String({
    minLength: 1,
    maxLength: 10_000,
    format: 'text',
    description: 'Full body of the page, with the details needed to address the issue.',
  }),
  source_url: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Shown to the person for more information; commonly a link to the alert.',
    }),
  ),
  drill: Type.Optional(
    Type.Boolean({
      description:
        'The page is a drill: it notifies people as any page does, is marked as a drill in its title and text, and is left out of reports. It takes no dedup_key.',
    }),
  ),
};

const dedupKey = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'text',
  description:
    'The key of what the page is about. While a page with this key and recipient is open, further calls update it instead of raising another one.',
});

const urgency = (fallback: Urgency) =>
  Type.Optional(Type.Enum([...URGENCIES], { type: 'string', default: fallback }));

/** As in `drill.ts`: a drill takes no dedup key. */
const NO_KEY_OF_DRILLS = {
  [PUBLISHED]: { not: { required: ['drill', 'dedup_key'], properties: { drill: { const: true } } } },
};

export const TeamPageBody = Type.Object(
  {
    recipient: Type.String({
      minLength: 1,
      maxLength: 100,
      format: 'text',
      description: "The team's slug, found on the team's settings page.",
    }),
    ...fields,
    urgency: urgency('medium'),
    dedup_key: Type.Optional(dedupKey),
  },
  { title: 'TeamPage', ...NO_KEY_OF_DRILLS },
);

export const PersonPageBody = Type.Object(
  {
    recipient: Type.String({
      minLength: 1,
      maxLength: 320,
      format: 'text',
      description: "The person's email address.",
      ...EMAIL,
    }),
    ...fields,
    urgency: urgency('high'),
    dedup_key: Type.Optional(dedupKey),
  },
  { title: 'PersonPage', ...NO_KEY_OF_DRILLS },
);

const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableTime = Type.Union([Type.String(TIME), Type.Null()]);
const PersonOfPage = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String(EMAIL) },
  { title: 'Person' },
);

/** A delivery in the status of a request. */
export const StatusDelivery = Type.Object(
  {
    id: Type.String(),
    user: PersonOfPage,
    channel: Type.Enum(CHANNELS, { type: 'string' }),
    address: Type.String({
      description:
        'The address, such as a phone number or an email address; for webhooks and push, only the host.',
    }),
    state: Type.Enum(DELIVERY_STATES, { type: 'string' }),
    attempts: Type.Integer({ minimum: 0 }),
    repeat: Type.Boolean({ description: 'Whether it may repeat a notification that has arrived before.' }),
    stage: Type.Union([Type.Number(), Type.Null()], {
      description: 'The stage in which the person was notified; null outside of stages.',
    }),
    round: Type.Integer({ minimum: 1 }),
    due_at: Type.String(TIME),
    sent_at: NullableTime,
    accepted_at: Type.Union([Type.String(TIME), Type.Null()], {
      description: 'When the provider accepted the notification.',
    }),
    provider_id: Type.Union([Type.String(), Type.Null()], {
      description: "The provider's ID for the notification.",
    }),
    receipt: Type.Union([Type.String(), Type.Null()], {
      description: "The provider's later report on the arrival of the notification.",
    }),
    error: NullableText,
  },
  { title: 'Delivery' },
);
export type StatusDelivery = Static<typeof StatusDelivery>;

/** A page in the status of its request. */
export const StatusPage = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum(PAGE_STATES, { type: 'string' }),
    urgency: Type.Enum(URGENCIES, { type: 'string' }),
    drill: Type.Boolean({ description: 'Whether the page is a drill.' }),
    round: Type.Integer({
      minimum: 1,
      description: 'The current round: 1 for the first pass through all stages.',
    }),
    acknowledged_by: Type.Union([PersonOfPage, Type.Null()]),
    acknowledged_at: NullableTime,
    deliveries: Type.Array(StatusDelivery, { description: 'The deliveries, oldest first.' }),
  },
  { title: 'Page' },
);
export type StatusPage = Static<typeof StatusPage>;

/** The effect of an event, in the status of its request. */
export const PageOfRequest = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'The page; null as long as none was raised.',
    }),
    state: Type.Union([Type.Enum(PAGE_STATES, { type: 'string' }), Type.Null()]),
    action: Type.Enum(PAGE_ACTIONS, { type: 'string' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the event was ignored, or what it waits for.',
    }),
  },
  { title: 'PageOfRequest' },
);
export type PageOfRequest = Static<typeof PageOfRequest>;

/** Acknowledges or resolves the open page of a dedup key. */
export const KeyBody = Type.Object(
  {
    recipient: Type.String({
      minLength: 1,
      maxLength: 320,
      format: 'text',
      description: "The team's slug or the person's email address, as it was paged.",
    }),
    dedup_key: dedupKey,
  },
  { title: 'PageKey' },
);
export type KeyBody = Static<typeof KeyBody>;

export type PageBody = Static<typeof TeamPageBody>;
