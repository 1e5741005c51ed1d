import { instantTextOrNull } from '../kit/instant.ts';
import { adapterFor, INTEGRATIONS } from '../moments/integrations/registry.ts';
import { type Presenting, presentShared, secretOf } from '../webhooks/present.ts';
import type { FormerToken } from '../webhooks/store.ts';
import type { Heartbeat, SourceDetail, SourceShown, SourceTypeShown } from './api-contract.ts';
import type { ManagedSource } from './manage.ts';
import { isDialect } from './url.ts';
import { usualWords } from './usual-words.ts';

export function presentType(name: string): SourceTypeShown {
  return {
    name,
    way: isDialect(name) ? 'key' : 'url',
    signs: INTEGRATIONS.includes(name) && adapterFor(name)?.verify !== undefined,
    urgencies: usualWords(name),
  };
}

/** A source as the API shows it to a person of this role. */
export function presentSource(
  source: ManagedSource,
  formers: readonly FormerToken[],
  presenting: Presenting,
): SourceShown {
  return { ...presentShared(source, formers, presenting), ...ownFields(source) };
}

/** A source with its signing secret, for people who may manage the team. */
export function presentSourceDetail(
  source: ManagedSource,
  formers: readonly FormerToken[],
  presenting: Presenting,
): SourceDetail {
  const signing_secret = secretOf(source, presenting);
  return { ...presentSource(source, formers, presenting), signing_secret };
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
