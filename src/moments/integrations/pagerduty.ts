import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type SignedCall,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, nameList } from './facts.ts';
import { readPagerdutyEvent } from './pagerduty-events.ts';
import { eventOfMessage } from './pagerduty-messages.ts';
import {
  field,
  firstText,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  textField,
} from './payload.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody, unrecordable } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/**
 * PagerDuty, version 3 webhook subscriptions: one event of one incident per call. Webhooks of versions 1 and 2, and calls
 * for PagerDuty's Events API, are read as well.
 */
export const pagerduty: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readPagerduty,
  senderCallId: callIdHeader('x-webhook-id'),
  verify: isSigned,
  checkSecret: checkSharedSecret,
};

/** While a secret is being changed, there is one signature for each valid secret. PagerDuty does not sign a time. */
function isSigned(call: SignedCall): boolean {
  const signatures = (call.headers['x-pagerduty-signature'] ?? '').split(',').map((one) => one.trim());
  return hasHexSignature(
    call,
    signatures.flatMap((one) => (one.startsWith('v1=') ? [one.slice('v1='.length)] : [])),
  );
}

function readPagerduty({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, stored('a PagerDuty webhook (version 3)'));
  const raised = readPagerdutyEvent(parsed.object, receivedAt, 'event ');
  if (raised) return raised;
  const messages = objectsField(parsed.object, 'messages');
  if (messages.length > 0) return readMessages(messages, receivedAt);
  return readEvent(objectField(parsed.object, 'event'), receivedAt);
}

/** Versions 1 and 2: several messages per call. */
function readMessages(messages: readonly JsonObject[], receivedAt: Temporal.Instant): AdapterResult {
  const results = messages.map((message) => readEvent(eventOfMessage(message), receivedAt));
  const events = results.flatMap((result) => ('events' in result ? result.events : []));
  const wrong = results.find((result) => 'error' in result);
  if (events.length > 0) return wrong ? { events, unread: wrong.error } : { events };
  return wrong ?? results[0] ?? { ignored: stored('It has no messages.') };
}

function readEvent(event: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const type = textField(event, 'event_type');
  if (!type)
    return unreadable(
      stored('the body has no "event" with an "event_type"'),
      stored('a PagerDuty webhook (version 3)'),
    );
  if (type === 'pagey.ping')
    return { ignored: stored('It is a test by {tool}: the webhook works.', { tool: 'PagerDuty' }) };
  const data = objectField(event, 'data');
  const what = textField(data, 'type') ?? 'incident';
  if (!type.startsWith('incident.') || what !== 'incident')
    return { ignored: stored('The event {type} changes nothing about an incident.', { type: quoted(type) }) };
  const id = textField(data, 'id');
  if (!id) return unrecordable(stored('the incident in "event.data" has no "id"'));
  return { events: [incidentEvent(id, type, event, receivedAt)] };
}

function incidentEvent(
  id: string,
  type: string,
  event: JsonObject,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const data = objectField(event, 'data');
  const at = senderTime(field(event, 'occurred_at')) ?? receivedAt;
  const number = textField(data, 'number');
  return momentEvent(
    {
      dedupKey: id,
      action: actionOf(type, textField(data, 'status')),
      name: firstText(data, ['title', 'summary']) ?? `PagerDuty incident ${number ? `#${number}` : id}`,
      type: 'incident',
      priority: priorityOf(data),
      severity: priorityName(data) ?? textField(data, 'urgency'),
      opens: !ACTIONS.has(type),
      by: ACTIONS.has(type) ? personOf(objectField(event, 'agent')) : null,
      description: description(data),
      source: 'PagerDuty',
      sourceUrl: textField(data, 'html_url'),
      occurredAt: senderTime(field(data, 'created_at')) ?? at,
      at,
    },
    receivedAt,
  );
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['incident.triggered', 'open'],
  ['incident.reopened', 'open'],
  ['incident.unacknowledged', 'unacknowledge'],
  ['incident.acknowledged', 'acknowledge'],
  ['incident.resolved', 'resolve'],
]);

const STATUSES = new Map<string, MomentEvent['action']>([
  ['acknowledged', 'acknowledge'],
  ['resolved', 'resolve'],
]);

/** Other events (a new priority, an escalation) update the incident. They never reopen a moment. */
function actionOf(type: string, status: string | null): MomentEvent['action'] {
  return ACTIONS.get(type) ?? STATUSES.get(status ?? '') ?? 'open';
}

/** Services and integrations act as well. */
function personOf(agent: JsonObject): string | null {
  return textField(agent, 'type')?.startsWith('user') ? textField(agent, 'summary') : null;
}

function priorityName(data: JsonObject): string | null {
  return firstText(objectField(data, 'priority'), ['summary', 'name']);
}

/** Priorities have custom names. If the name is unknown, the urgency decides. */
function priorityOf(data: JsonObject): Priority {
  return priorityOfSeverity(priorityName(data)) ?? priorityOfSeverity(textField(data, 'urgency')) ?? 'medium';
}

function description(data: JsonObject): string | null {
  const summary = (name: string) => textField(objectField(data, name), 'summary');
  const summaries = (name: string) =>
    nameList(objectsField(data, name).map((one) => textField(one, 'summary')));
  return factLines([
    ['Service', summary('service')],
    ['Priority', priorityName(data)],
    ['Urgency', textField(data, 'urgency')],
    ['Assigned to', summaries('assignees')],
    ['Escalation policy', summary('escalation_policy')],
    ['Teams', summaries('teams')],
    ['Incident', textField(data, 'number')],
    ['Conference', textField(objectField(data, 'conference_bridge'), 'conference_url')],
  ]);
}
