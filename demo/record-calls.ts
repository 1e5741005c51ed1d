import type { Insertable } from 'kysely';
import type { ReceivedNotifications, Requests } from '../src/db/schema.ts';
import { idAt } from '../src/kit/typeid.ts';
import { readerFor } from '../src/moments/integrations/registry.ts';
import type { Moment } from '../src/moments/moment.ts';
import { followUpKey, planRecording, type RecordingResult } from '../src/moments/recording.ts';
import { failed, ignored, NO_EVENT, type Outcome, recorded } from '../src/webhooks/outcome.ts';
import type { ExampleCall } from './call-year.ts';
import { SENDERS, type SenderName } from './senders.ts';

export type ExampleWebhook = { id: string; organizationId: string; teamId: string };

/** The result of a year of calls. */
export type Recorded = {
  /** Each moment with the times of its first and last call. */
  moments: Map<string, { moment: Moment; firstAt: Temporal.Instant; lastAt: Temporal.Instant }>;
  received: {
    request: Insertable<Requests>;
    notification: Insertable<ReceivedNotifications>;
    momentIds: string[];
  }[];
  /** Page ids by the ids of moments about the same thing. */
  pages: Map<string, string>;
};

const ORIGIN = { 'content-type': 'application/json' };

/** Processes calls in order, with the adapters and the rules of the service. */
export function recordCalls(
  calls: readonly ExampleCall[],
  webhooks: Readonly<Record<SenderName, ExampleWebhook>>,
): Recorded {
  const made: Recorded = { moments: new Map(), received: [], pages: new Map() };
  const known = new Map<string, Moment>();
  for (const call of calls) record(made, known, call, webhooks[call.sender]);
  return made;
}

function record(
  made: Recorded,
  known: Map<string, Moment>,
  call: ExampleCall,
  webhook: ExampleWebhook,
): void {
  const { type } = SENDERS[call.sender];
  const body = Buffer.from(call.body);
  const read = readerFor(type)?.read({ headers: ORIGIN, body, settings: {}, receivedAt: call.at });
  const callId = idAt('notification', call.at);
  if (!read || !('events' in read)) {
    const outcome = read && 'error' in read ? failed(read.error, { source: null }) : ignored(NO_EVENT);
    keep(made, call, webhook, callId, outcome, []);
    return;
  }
  const recording = planRecording([{ ...webhookOf(webhook), callId, events: read.events }], known, () =>
    idAt('moment', call.at),
  );
  for (const moment of [...recording.created, ...recording.changed]) {
    const before = made.moments.get(moment.id);
    made.moments.set(moment.id, { moment, firstAt: before?.firstAt ?? call.at, lastAt: call.at });
    if (moment.dedupKey !== null) known.set(followUpKey(webhook.id, moment.dedupKey), moment);
    if (call.page) made.pages.set(moment.id, call.page);
  }
  const [result] = recording.results;
  if (result) keep(made, call, webhook, callId, recorded(result), momentIds(result));
}

function webhookOf({ id, organizationId, teamId }: ExampleWebhook) {
  return { webhookId: id, organizationId, teamId };
}

function momentIds(result: RecordingResult): string[] {
  return result.momentIds;
}

function keep(
  made: Recorded,
  { sender, at, body }: ExampleCall,
  webhook: ExampleWebhook,
  id: string,
  { state, reason, message }: Outcome,
  momentIds: string[],
): void {
  const doneAt = at.add({ milliseconds: 180 });
  const request: Insertable<Requests> & { id: string } = {
    id: idAt('request', at),
    organization_id: webhook.organizationId,
    kind: 'webhook',
    status: state === 'error' ? 'failed' : 'succeeded',
    message,
    attempts: 1,
    credential: webhook.id,
    errors: JSON.stringify(state === 'error' ? [{ at: doneAt.toString(), message: reason }] : []),
    created_at: at,
    updated_at: doneAt,
    finished_at: doneAt,
  };
  made.received.push({
    request,
    notification: {
      id,
      organization_id: webhook.organizationId,
      webhook_id: webhook.id,
      request_id: request.id,
      integration: SENDERS[sender].type,
      headers: JSON.stringify(ORIGIN),
      body: Buffer.from(body),
      state,
      reason,
      attempts: 1,
      due_at: at,
      received_at: at,
      processed_at: doneAt,
    },
    momentIds,
  });
}
