import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Detail, sentence } from '../../kit/detail-contract.ts';
import { instantText } from '../../kit/instant.ts';
import { lateTitle } from '../../pages/own-texts-contract.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { endedBeforePaging } from '../apply-events.ts';
import type { NamedHeartbeat } from '../heartbeat-store.ts';
import { STILL_WAITS } from '../orders.ts';
import type { AlertRow, CallOutcome, NoteRow } from './opsgenie-store.ts';
import type { Refusal } from './scope.ts';

/** Sends an answer with the headers and fields that all of Opsgenie's answers have. */
export function answer(
  reply: FastifyReply,
  status: number,
  body: Record<string, unknown>,
  requestId: string = randomUUID(),
): FastifyReply {
  return reply
    .code(status)
    .headers(commonHeaders(requestId, reply.elapsedTime))
    .send({ ...body, ...common(requestId, reply.elapsedTime) });
}

/** Seconds; libraries read a missing number as 0. */
const seconds = (elapsedMs: number) => Math.max(1, Math.round(elapsedMs)) / 1_000;

function common(requestId: string, elapsedMs: number) {
  return { took: seconds(elapsedMs), requestId };
}

function commonHeaders(requestId: string, elapsedMs: number): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-response-time': String(seconds(elapsedMs)),
    'x-ratelimit-state': 'OK',
  };
}

/** The answer to everything that is processed later. */
export function accepted(reply: FastifyReply, requestId: string): FastifyReply {
  return answer(reply, 202, { result: 'Request will be processed' }, requestId);
}

/** The client repeats its request as long as a 404 has this header. */
export function notProcessed(reply: FastifyReply): FastifyReply {
  reply.header('x-opsgenie-errortype', 'RequestNotProcessed');
  return answer(reply, 404, { message: 'Request not found. It might not be processed, yet.' });
}

const TOO_MANY = 'You are making too many requests!';

export function refused(
  { status, details }: Refusal,
  reply: FastifyReply,
): { status?: number; body: unknown } {
  const requestId = randomUUID();
  const known = common(requestId, reply.elapsedTime);
  reply.headers(commonHeaders(requestId, reply.elapsedTime));
  if (status === 429) {
    reply.headers({ 'x-ratelimit-state': 'THROTTLED', 'x-ratelimit-period-in-sec': '1' });
    return { body: { message: TOO_MANY, ...known } };
  }
  if (status === 403) return { body: { code: 40_301, message: details.map(worded).join(' '), ...known } };
  if (status === 401) return { body: { message: 'Could not authenticate', ...known } };
  if (status === 410) return { body: { message: 'The page source of this key has expired.', ...known } };
  if (status !== 422 && details.every(({ field }) => field !== 'message' && field !== 'note'))
    return { body: { message: details.map(worded).join(' '), ...known } };
  const errors = Object.fromEntries(details.map(({ field, message }) => [field, message]));
  return {
    status: 422,
    body: { message: 'Request body is not processable. Please check the errors.', errors, ...known },
  };
}

/** Opsgenie's own texts begin with a capital letter. */
function worded(detail: Detail): string {
  return /^[A-Z]/.test(detail.message) ? detail.message : sentence(detail);
}

const PRIORITIES = { high: 'P1', medium: 'P3', low: 'P5' } as const;

/** A page as an alert of a list; `presentAlert` adds the fields of a single alert. */
export function listedAlert(row: AlertRow, source: Webhook): Record<string, unknown> {
  const { createdAt, acknowledgedAt, resolvedAt, acknowledgedBy, resolvedBy } = row;
  const isOpen = row.state === 'notifying' || row.state === 'acknowledged';
  const snoozed = row.state === 'acknowledged' && row.remindAt !== null;
  return {
    id: row.id,
    tinyId: row.id,
    alias: row.alias ?? row.id,
    message: row.title,
    status: isOpen ? 'open' : 'closed',
    acknowledged: row.state === 'acknowledged',
    isSeen: acknowledgedAt !== null,
    tags: [],
    snoozed,
    ...(snoozed ? { snoozedUntil: row.remindAt } : {}),
    count: row.count,
    lastOccurredAt: createdAt,
    createdAt,
    updatedAt: resolvedAt ?? acknowledgedAt ?? createdAt,
    source: source.type,
    owner: acknowledgedBy ?? '',
    priority: PRIORITIES[row.urgency],
    responders: [],
    integration: { id: source.id, name: 'Tocsin', type: 'API' },
    report: {
      ...(acknowledgedAt
        ? { ackTime: millisecondsBetween(createdAt, acknowledgedAt), acknowledgedBy: acknowledgedBy ?? '' }
        : {}),
      ...(resolvedAt
        ? { closeTime: millisecondsBetween(createdAt, resolvedAt), closedBy: resolvedBy ?? '' }
        : {}),
    },
  };
}

export function presentAlert(row: AlertRow, source: Webhook): Record<string, unknown> {
  return { ...listedAlert(row, source), actions: [], entity: '', description: row.text, details: {} };
}

export function presentNote({ text, at, owner }: NoteRow): Record<string, unknown> {
  return { note: text, owner: owner ?? '', createdAt: at, offset: at };
}

export function presentHeartbeat(heartbeat: NamedHeartbeat): Record<string, unknown> {
  const { name, intervalMinutes, lastCallAt, late, team } = heartbeat;
  return {
    ...{ name, description: '', interval: intervalMinutes, intervalUnit: 'minutes', enabled: true },
    expired: late,
    ...(lastCallAt ? { lastPingTime: instantText(lastCallAt) } : {}),
    ...{ ownerTeam: team, alertMessage: lateTitle(name), alertTags: [], alertPriority: 'P1' },
  };
}

function millisecondsBetween(from: string, to: string): number {
  return Temporal.Instant.from(to).since(Temporal.Instant.from(from)).total('milliseconds');
}

/** Opsgenie's words for the request of a call. */
const ACTION_WORDS: Record<string, string> = {
  ...{
    create: 'Create',
    close: 'Close',
    delete: 'Delete',
    acknowledge: 'Acknowledge',
    unacknowledge: 'UnAcknowledge',
  },
  ...{ notes: 'AddNote', snooze: 'Snooze', escalate: 'EscalateToNext', assign: 'Assign', teams: 'AddTeam' },
  ...{ responders: 'AddResponder', tags: 'AddTags', details: 'AddDetails', message: 'UpdateMessage' },
  ...{ description: 'UpdateDescription', priority: 'UpdatePriority' },
};

/** The result of a call. Clients read either `success` or `isSuccess`. */
export function presentOutcome(
  outcome: CallOutcome,
  source: Webhook,
  { action, alias }: { action: string; alias: string | null },
): Record<string, unknown> {
  const { did, pageId, reason, succeeded } = outcome;
  const created = action === 'create';
  const changed = did !== null && (did !== 'ignored' || endedBeforePaging({ action: did, reason }));
  const success = succeeded && (created || changed);
  const named = outcome.alias ?? alias ?? '';
  return {
    ...{
      success,
      isSuccess: success,
      action: ACTION_WORDS[action] ?? action,
      processedAt: outcome.finishedAt,
    },
    ...{ integrationId: source.id, status: statusText(outcome, success, created) },
    ...{ alertId: pageId ?? named, alias: named },
  };
}

function statusText(outcome: CallOutcome, success: boolean, created: boolean): string {
  if (!outcome.succeeded) return outcome.message;
  const exists = outcome.pageId !== null || outcome.reason === STILL_WAITS;
  if (!success) return (exists && outcome.reason) || 'Alert does not exist';
  if (created) return outcome.did === 'updated' ? 'Updated alert' : 'Created alert';
  return 'Updated alert';
}
