import { instantText, instantTextOrNull } from '../kit/instant.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Role } from '../people/contract.ts';
import type { WebhookDetail, WebhookShown } from './api-contract.ts';
import type { FormerToken, ManagedWebhook } from './manage-store.ts';
import { mayManage } from './policy.ts';

export type Presenting = {
  sealing: Sealing;
  role: Role;
  /** Whether the viewer may read URL and secret at the moment, see `mayRead`. */
  secrets: boolean;
  /** The URL of a token; null for types that have none. */
  urlOf(token: string, type: string): string | null;
};

/** A webhook as the API shows it to a person of this role. */
export function presentWebhook(
  webhook: ManagedWebhook,
  formers: readonly FormerToken[],
  { sealing, urlOf, role, secrets }: Presenting,
): WebhookShown {
  const { id, name, type, team, settings, expired } = webhook;
  const manages = mayManage(role, webhook.relation);
  const token = manages && secrets && sealing.open(webhook.tokenSealed);
  return {
    ...{ id, name, type, team, settings, expired },
    // Empty when the key that encrypted it is lost. The URL still works, and a new one can be made.
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

/** A webhook with its secret, for people who may manage the team. */
export function presentWebhookDetail(
  webhook: ManagedWebhook,
  formers: readonly FormerToken[],
  presenting: Presenting,
): WebhookDetail {
  const shown = presentWebhook(webhook, formers, presenting);
  const sealed = webhook.signingSecretSealed;
  return {
    ...shown,
    signing_secret: shown.may_manage && presenting.secrets && sealed ? presenting.sealing.open(sealed) : null,
  };
}
