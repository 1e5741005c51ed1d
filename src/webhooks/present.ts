import { instantText, instantTextOrNull } from '../kit/instant.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Role } from '../people/contract.ts';
import type { WebhookDetail, WebhookShown } from './api-contract.ts';
import { mayManage } from './policy.ts';
import type { FormerToken, ManagedWebhook } from './store.ts';

export type Presenting = {
  sealing: Sealing;
  role: Role;
  /** Whether the viewer may read URL and secret at the moment, see `mayRead`. */
  secrets: boolean;
  /** This request created the URL, and so shows it, but no other secret, to programs as well. */
  madeUrl?: true;
  /** The URL of a token; null for types that have none. */
  urlOf(token: string, type: string): string | null;
};

/** The common fields of webhooks and page sources, as the API shows them to a person of this role. */
export function presentShared(
  webhook: Omit<ManagedWebhook, 'settings'>,
  formers: readonly FormerToken[],
  { sealing, urlOf, role, secrets, madeUrl }: Presenting,
): Omit<WebhookShown, 'settings'> {
  const { id, name, type, team, expired } = webhook;
  const manages = mayManage(role, webhook.relation);
  const token = manages && (secrets || madeUrl) && sealing.open(webhook.tokenSealed);
  return {
    ...{ id, name, type, team, expired },
    // Empty if the key that encrypted it is lost. The URL still works, and a new one can be created.
    url: token ? urlOf(token, type) : null,
    signed: webhook.signingSecretSealed !== null,
    expires_at: instantTextOrNull(webhook.expiresAt),
    last_used_at: instantTextOrNull(webhook.lastUsedAt),
    former_urls: formers
      .filter((former) => former.webhookId === id)
      .map(({ endsAt, lastUsedAt }) => ({
        ends_at: instantText(endsAt),
        last_used_at: instantTextOrNull(lastUsedAt),
      })),
    created_at: instantText(webhook.createdAt),
    created_by: webhook.createdBy,
    may_manage: manages,
    secrets_hidden: manages && !secrets,
  };
}

export function presentWebhook(
  webhook: ManagedWebhook,
  formers: readonly FormerToken[],
  presenting: Presenting,
): WebhookShown {
  return { ...presentShared(webhook, formers, presenting), settings: webhook.settings };
}

/** A webhook with its secret, for people who may manage the team. */
export function presentWebhookDetail(
  webhook: ManagedWebhook,
  formers: readonly FormerToken[],
  presenting: Presenting,
): WebhookDetail {
  return {
    ...presentWebhook(webhook, formers, presenting),
    signing_secret: secretOf(webhook, presenting),
  };
}

/** The signing secret; null without one, and for viewers who may not read it now. */
export function secretOf(
  { signingSecretSealed, relation }: Pick<ManagedWebhook, 'signingSecretSealed' | 'relation'>,
  { role, secrets, sealing }: Presenting,
): string | null {
  if (!signingSecretSealed || !secrets || !mayManage(role, relation)) return null;
  return sealing.open(signingSecretSealed);
}
