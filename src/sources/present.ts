import type { FormerToken } from '../webhooks/manage-store.ts';
import { type Presenting, presentWebhook, presentWebhookDetail } from '../webhooks/present.ts';
import type { SourceDetail, SourceShown } from './api-contract.ts';
import type { ManagedSource } from './manage.ts';

/** A source as the API shows it to a person of this role. */
export function presentSource(
  source: ManagedSource,
  formers: readonly FormerToken[],
  presenting: Presenting,
): SourceShown {
  return { ...presentWebhook({ ...source, settings: {} }, formers, presenting), ...ownFields(source) };
}

/** A source with its signing secret, for people who may manage the team. */
export function presentSourceDetail(
  source: ManagedSource,
  formers: readonly FormerToken[],
  presenting: Presenting,
): SourceDetail {
  return { ...presentWebhookDetail({ ...source, settings: {} }, formers, presenting), ...ownFields(source) };
}

function ownFields({ settings, keyLast4, intervalMinutes }: ManagedSource) {
  return { settings, key_last4: keyLast4, interval_minutes: intervalMinutes };
}
