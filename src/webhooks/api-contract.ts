import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME, URL_TEXT } from '../kit/published-contract.ts';
import { WebhookSettings } from '../moments/settings-contract.ts';
import { Person } from '../people/contract.ts';

/** What the dashboard reads and sends about webhooks. Times are ISO 8601 in UTC. */

/** Checked by `webhookProblems`, because the valid settings depend on the type of the webhook. */
const Settings = Type.Unsafe<WebhookSettings>(Type.Object({}, { additionalProperties: true }));

const NewWebhookBody = Type.Object({
  team: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'text',
    description: 'The slug or ID of the team.',
  }),
  name: Type.String({ maxLength: 1_000, 'x-one-line': true }),
  type: Type.String({ maxLength: 100 }),
  expires_at: Type.Optional(Type.String({ format: 'instant' })),
  signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
  settings: Type.Optional(Settings),
});
export type NewWebhookBody = Static<typeof NewWebhookBody>;

/** A missing field does not change; null removes its value. */
const WebhookChangeBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1_000, 'x-one-line': true })),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
  signing_secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1_000,
      description: 'A secret, or null for none.',
    }),
  ),
  settings: Type.Optional(Settings),
});
export type WebhookChangeBody = Static<typeof WebhookChangeBody>;

export const RotationBody = Type.Object({
  old_until: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
});
export type RotationBody = Static<typeof RotationBody>;

/** The common fields of webhooks and page sources. */
export const WebhookShared = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  team: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
  url: Nullable(
    Type.String(URL_TEXT),
    'The URL; null for viewers who may not manage the team, and until the viewer has re-authenticated.',
  ),
  signed: Type.Boolean({ description: 'Whether calls must be signed.' }),
  expires_at: Nullable(Type.String(TIME)),
  expired: Type.Boolean(),
  last_used_at: Nullable(Type.String(TIME)),
  former_urls: Type.Array(
    Type.Object({ ends_at: Type.String(TIME), last_used_at: Nullable(Type.String(TIME)) }),
    { description: 'The earlier URLs or keys that still work after a rotation.' },
  ),
  created_at: Type.String(TIME),
  created_by: Nullable(
    Person,
    "The person who created it; null if it was created on the operator's command line.",
  ),
  may_manage: Type.Boolean(),
  secrets_hidden: Type.Boolean({
    description: 'Whether the viewer may read the URL and the secret, but has to re-authenticate first.',
  }),
});

const WebhookShown = Type.Object({ ...WebhookShared.properties, settings: WebhookSettings });
export type WebhookShown = Static<typeof WebhookShown>;

const WebhookDetail = Type.Object({
  ...WebhookShown.properties,
  signing_secret: Nullable(Type.String(), 'The URL; null unless the viewer may read it.'),
});
export type WebhookDetail = Static<typeof WebhookDetail>;

const IntegrationShown = Type.Object({
  name: Type.String(),
  signs: Type.Boolean({ description: 'Whether the tool can sign its calls.' }),
  filters: Type.Boolean({
    description: "Whether a filter decides which of the tool's issues become moments.",
  }),
});

export const webhooksApi = {
  integrations: endpoint('GET /api/integrations', {
    summary: 'List the tools that a webhook can read',
    response: Type.Object({ integrations: Type.Array(IntegrationShown) }),
  }),
  list: endpoint('GET /api/webhooks', {
    summary: 'List webhooks',
    description: 'Lists them newest first, without those that were revoked.',
    query: Type.Object({
      team: Type.Optional(
        Type.String({ maxLength: 200, format: 'text', description: 'The slug or ID of the team.' }),
      ),
    }),
    response: Type.Object({ webhooks: Type.Array(WebhookShown) }),
  }),
  show: endpoint('GET /api/webhooks/:id', { summary: 'Show a webhook', response: WebhookDetail }),
  create: endpoint('POST /api/webhooks', {
    summary: 'Create a webhook',
    body: NewWebhookBody,
    response: WebhookDetail,
    status: [201],
  }),
  change: endpoint('PATCH /api/webhooks/:id', {
    summary: 'Change a webhook',
    body: WebhookChangeBody,
    response: WebhookDetail,
  }),
  rotate: endpoint('POST /api/webhooks/:id/rotate', {
    summary: 'Give a webhook a new URL',
    body: RotationBody,
    response: WebhookDetail,
  }),
  revoke: endpoint('DELETE /api/webhooks/:id', {
    summary: 'Revoke a webhook',
    response: Type.Object({ revoked: Type.Boolean() }),
  }),
  test: endpoint('POST /api/webhooks/:id/test', {
    summary: 'Queue an example call as if the tool had sent it',
    description: 'Shows whether the settings are right, but not whether the tool can reach this service.',
    response: Type.Object({ notification_id: Type.String({ description: 'The ID of the call.' }) }),
    status: [202],
  }),
};
