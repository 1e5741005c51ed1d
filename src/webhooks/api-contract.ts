import { type Static, type TSchema, Type } from 'typebox';
import { TIME, URL_TEXT } from '../kit/published-contract.ts';
import type { WebhookSettings } from '../moments/settings.ts';
import { Person } from '../people/contract.ts';

/** What the dashboard reads and sends about webhooks. Times are ISO 8601 in UTC. */

/** Checked by `webhookProblems`, because the valid settings depend on the type of the webhook. */
const Settings = Type.Object({}, { additionalProperties: true });

export const NewWebhookBody = Type.Object({
  team: Type.String({ minLength: 1, maxLength: 200, format: 'text', description: "The team's slug or id." }),
  name: Type.String({ maxLength: 1_000, 'x-one-line': true }),
  type: Type.String({ maxLength: 100 }),
  expires_at: Type.Optional(Type.String({ format: 'instant' })),
  signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
  settings: Type.Optional(Settings),
});
export type NewWebhookBody = Static<typeof NewWebhookBody>;

/** A missing field stays unchanged; null removes its value. */
export const WebhookChangeBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1_000, 'x-one-line': true })),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
  signing_secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1_000,
      description: 'a secret, or null for none',
    }),
  ),
  settings: Type.Optional(Settings),
});
export type WebhookChangeBody = Static<typeof WebhookChangeBody>;

export const RotationBody = Type.Object({
  old_until: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
});
export type RotationBody = Static<typeof RotationBody>;

const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** What webhooks and page sources have in common. */
export const WebhookShared = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  team: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
  url: Nullable(
    Type.String(URL_TEXT),
    'Null for viewers who may not manage the team, and until the viewer has re-authenticated.',
  ),
  signed: Type.Boolean({ description: 'Calls must be signed.' }),
  expires_at: Nullable(Type.String(TIME)),
  expired: Type.Boolean(),
  last_used_at: Nullable(Type.String(TIME)),
  former_urls: Type.Array(
    Type.Object({ ends_at: Type.String(TIME), last_used_at: Nullable(Type.String(TIME)) }),
    { description: 'The URLs, or keys, that it had before its rotations and that still work.' },
  ),
  created_at: Type.String(TIME),
  created_by: Nullable(Person, "Null when it was created on the operator's command line."),
  may_manage: Type.Boolean(),
  secrets_hidden: Type.Boolean({
    description: 'The viewer may read the URL and the secret, but has to re-authenticate first.',
  }),
});

export type WebhookShown = Static<typeof WebhookShared> & { settings: WebhookSettings };

/** One webhook. `signing_secret` is null unless the viewer may read the URL. */
export type WebhookDetail = WebhookShown & { signing_secret: string | null };
