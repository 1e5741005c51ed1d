import { type Static, Type } from 'typebox';
import type { WebhookSettings } from '../moments/settings.ts';
import type { Person } from '../people/contract.ts';

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

export type WebhookShown = {
  id: string;
  name: string;
  type: string;
  team: { id: string; name: string; slug: string };
  /** Null for viewers who may not manage the team, and until the viewer has re-authenticated. */
  url: string | null;
  /** Calls must be signed. */
  signed: boolean;
  settings: WebhookSettings;
  expires_at: string | null;
  expired: boolean;
  last_used_at: string | null;
  /** The URLs that it had before its rotations and that still work. */
  former_urls: { ends_at: string; last_used_at: string | null }[];
  created_at: string;
  /** Null when it was created on the operator's command line. */
  created_by: Person | null;
  may_manage: boolean;
  /** The viewer may read the URL and the secret, but has to re-authenticate first. */
  secrets_hidden: boolean;
};

/** One webhook. `signing_secret` is null unless the viewer may read the URL. */
export type WebhookDetail = WebhookShown & { signing_secret: string | null };
