import { instantTextOrNull } from '../kit/instant.ts';
import type { FormerToken } from '../webhooks/manage-store.ts';
import { type Presenting, presentWebhook, presentWebhookDetail } from '../webhooks/present.ts';
import type { Heartbeat, SourceDetail, SourceShown } from './api-contract.ts';
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

function ownFields(source: ManagedSource) {
  const { settings, keyLast4, intervalMinutes } = source;
  return {
    settings,
    key_last4: keyLast4,
    interval_minutes: intervalMinutes,
    heartbeat: intervalMinutes === null ? null : presentHeartbeat(source),
  };
}

function presentHeartbeat({ lastCallAt, lateSince, dueAt }: ManagedSource): Heartbeat {
  return {
    state: lateSince ? 'late' : lastCallAt ? 'on_time' : 'waiting',
    last_call_at: instantTextOrNull(lastCallAt),
    late_since: instantTextOrNull(lateSince),
    due_at: instantTextOrNull(dueAt),
  };
}
