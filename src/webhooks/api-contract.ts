import { type Static, Type } from 'typebox';
import type { WebhookSettings } from '../moments/settings.ts';
import type { Person } from '../people/contract.ts';

/** What the dashboard reads and sends about webhooks. Times are ISO 8601 in UTC. */

/** Checked by `webhookProblems`, which knows the type of the webhook as well. */
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

/** Left out: stays as it is. Null: there is none from now on. */
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
  /** Null for those who may not manage the team, and until they confirm that it is they. */
  url: string | null;
  /** Calls must be signed. */
  signed: boolean;
  settings: WebhookSettings;
  expires_at: string | null;
  expired: boolean;
  last_used_at: string | null;
  /** URLs that it had before, and until when they work. */
  former_urls: { ends_at: string; last_used_at: string | null }[];
  created_at: string;
  /** Null: the operator's command line. */
  created_by: Person | null;
  may_manage: boolean;
  /** The viewer may read URL and secret, but has to confirm first that it is they. */
  secrets_hidden: boolean;
};

/** One webhook; the secret only for those who may read its URL. */
export type WebhookDetail = WebhookShown & { signing_secret: string | null };
