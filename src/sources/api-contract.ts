import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { RotationBody, WebhookShared } from '../webhooks/api-contract.ts';
import { type SettingsChange, SOURCE_URGENCIES, SourceSettings } from './contract.ts';

/** What programs and the dashboard read and send about page sources. Times are ISO 8601 in UTC. */

/** Checked by `sourceProblems`, which suggests the nearest setting for an unknown one. */
const Settings = Type.Unsafe<SourceSettings>(
  Type.Object({}, { additionalProperties: true, description: 'The settings of the source.' }),
);
/** Checked by `changeSource`. */
const ChangedSettings = Type.Unsafe<SettingsChange>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The settings to change. A missing one stays unchanged; null restores its default.',
    },
  ),
);
const Name = Type.String({ maxLength: 1_000, 'x-one-line': true });
/** Checked by `sourceProblems`, because it only belongs to heartbeats. */
const IntervalMinutes = Type.Number({
  description: 'The interval at which a heartbeat has to call, in minutes.',
});
const Key = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description:
    'The key of the system that the source replaces, so that its senders can keep it. For a heartbeat, the ID of a heartbeat monitor of GoAlert.',
});

const NewSourceBody = Type.Object({
  team: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'text',
    description: 'The slug or ID of the team.',
  }),
  name: Name,
  type: Type.String({ maxLength: 100 }),
  key: Type.Optional(Key),
  expires_at: Type.Optional(Type.String({ format: 'instant' })),
  signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
  interval_minutes: Type.Optional(IntervalMinutes),
  settings: Type.Optional(Settings),
});
export type NewSourceBody = Static<typeof NewSourceBody>;

/** A missing field does not change; null removes its value. */
const SourceChangeBody = Type.Object({
  name: Type.Optional(Name),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
  signing_secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1_000,
      description: 'A secret, or null for none.',
    }),
  ),
  interval_minutes: Type.Optional(IntervalMinutes),
  settings: Type.Optional(ChangedSettings),
});
export type SourceChangeBody = Static<typeof SourceChangeBody>;

const SourceRotationBody = Type.Object({ ...RotationBody.properties, key: Type.Optional(Key) });

const NullableTime = Type.Union([Type.String(TIME), Type.Null()]);

const Heartbeat = Type.Object({
  state: Type.Enum(['waiting', 'on_time', 'late'], {
    type: 'string',
    description: 'The state of the heartbeat. While it is `waiting` for the first call, it pages nobody.',
  }),
  last_call_at: NullableTime,
  late_since: NullableTime,
  due_at: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'When the next call is due; null before the first one.',
  }),
});
export type Heartbeat = Static<typeof Heartbeat>;

const SourceShown = Type.Object({
  ...WebhookShared.properties,
  settings: SourceSettings,
  key_last4: Type.Union([Type.String(), Type.Null()], {
    description: 'The last characters of the key; null for types without one.',
  }),
  interval_minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The interval at which a heartbeat has to call, in minutes; null for all other types.',
  }),
  heartbeat: Type.Union([Heartbeat, Type.Null()], {
    description: 'The state of a heartbeat; null for all other types.',
  }),
});
export type SourceShown = Static<typeof SourceShown>;

const SourceDetail = Type.Object({
  ...SourceShown.properties,
  signing_secret: Type.Union([Type.String(), Type.Null()], {
    description: 'The URL; null unless the viewer may read it.',
  }),
});
export type SourceDetail = Static<typeof SourceDetail>;

const SourceMade = Type.Object({
  ...SourceDetail.properties,
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key of a type that has one instead of a URL, which is shown only once.',
  }),
});
export type SourceMade = Static<typeof SourceMade>;

const SourceTypeShown = Type.Object({
  name: Type.String(),
  way: Type.Enum(['url', 'key'], {
    type: 'string',
    description: 'How its senders reach a source: by a URL of its own, or by a key.',
  }),
  signs: Type.Boolean({ description: 'Whether its senders can sign their calls.' }),
  urgencies: Type.Array(
    Type.Object({ word: Type.String(), urgency: Type.Enum([...SOURCE_URGENCIES], { type: 'string' }) }),
    { description: 'The words that its senders use for a severity, and what each usually stands for.' },
  ),
});
export type SourceTypeShown = Static<typeof SourceTypeShown>;

export const sourcesApi = {
  types: endpoint('GET /api/sources/types', {
    summary: 'List the types that a page source can have',
    response: Type.Object({ types: Type.Array(SourceTypeShown) }),
  }),
  list: endpoint('GET /api/sources', {
    summary: 'List page sources',
    description: 'Lists them newest first, without those that were revoked.',
    query: Type.Object({
      team: Type.Optional(
        Type.String({ maxLength: 200, format: 'text', description: 'The slug or ID of the team.' }),
      ),
    }),
    response: Type.Object({
      sources: Type.Array(SourceShown),
      types: Type.Array(Type.String(), { description: 'The types that a source can have.' }),
    }),
  }),
  show: endpoint('GET /api/sources/:id', { summary: 'Show a page source', response: SourceDetail }),
  create: endpoint('POST /api/sources', {
    summary: 'Create a page source',
    body: NewSourceBody,
    response: SourceMade,
    status: [201],
  }),
  change: endpoint('PATCH /api/sources/:id', {
    summary: 'Change a page source',
    body: SourceChangeBody,
    response: SourceDetail,
  }),
  rotate: endpoint('POST /api/sources/:id/rotate', {
    summary: 'Give a page source a new URL or key',
    body: SourceRotationBody,
    response: SourceMade,
  }),
  revoke: endpoint('DELETE /api/sources/:id', {
    summary: 'Revoke a page source',
    response: Type.Object({ revoked: Type.Boolean() }),
  }),
};
