import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import type { AdapterResult } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, isObject, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { codeBlock } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { unrecordable } from './unread.ts';

/**
 * The default body of Icinga Notifications' webhook channel: an object, its incident and the event, once for each
 * contact. Null for any other body.
 */
export function readIcingaNotification(body: JsonObject, receivedAt: Temporal.Instant): AdapterResult | null {
  if (!isObject(field(body, 'object')) || !isObject(field(body, 'event'))) return null;
  const incident = objectField(body, 'incident');
  const id = textField(incident, 'id');
  if (id === null) return { ignored: stored('No incident is open for what it is about.') };
  const action = actionOf(textField(objectField(body, 'event'), 'type'), incident);
  return typeof action === 'string'
    ? { events: [incidentEvent(body, incident, { id, action }, receivedAt)] }
    : action;
}

/** Older versions name the kind of event. In newer ones, the incident has everything. */
const ACTIONS = new Map<string, MomentEvent['action']>([
  ['acknowledgement-set', 'acknowledge'],
  ['acknowledgement-cleared', 'unacknowledge'],
]);

function actionOf(
  type: string | null,
  incident: JsonObject,
): MomentEvent['action'] | { ignored: string } | { error: string } {
  const known = ACTIONS.get(type ?? '');
  if (known) return known;
  if (type !== null && type !== 'state')
    return {
      ignored: stored('An event of type {type} neither begins nor ends a problem.', { type: quoted(type) }),
    };
  const severity = severityOf(incident);
  if (field(incident, 'recovered') === true || severity === 'ok') return 'resolve';
  return severity === null ? unrecordable(stored('the incident has no "severity"')) : 'open';
}

function severityOf(incident: JsonObject): string | null {
  return textField(incident, 'severity')?.trim().toLowerCase() ?? null;
}

/** Icinga's names for states: hosts that are down and critical services are `crit`, unknown states are `err`. */
const SEVERITIES = new Map<string, { word: string; priority: Priority }>([
  ['emerg', { word: 'EMERGENCY', priority: 'high' }],
  ['alert', { word: 'ALERT', priority: 'high' }],
  ['crit', { word: 'CRITICAL', priority: 'high' }],
  ['err', { word: 'ERROR', priority: 'medium' }],
  ['warning', { word: 'WARNING', priority: 'medium' }],
  ['notice', { word: 'NOTICE', priority: 'low' }],
  ['info', { word: 'INFO', priority: 'low' }],
  ['debug', { word: 'DEBUG', priority: 'low' }],
]);

function incidentEvent(
  body: JsonObject,
  incident: JsonObject,
  { id, action }: { id: string; action: MomentEvent['action'] },
  receivedAt: Temporal.Instant,
): MomentEvent {
  const object = objectField(body, 'object');
  const event = objectField(body, 'event');
  const tags = objectField(object, 'tags');
  const [host, service] = [textField(tags, 'host'), textField(tags, 'service')];
  const what = host && service ? `${service} on ${host}` : (host ?? textField(object, 'name') ?? 'An object');
  const severity = severityOf(incident);
  const known = SEVERITIES.get(severity ?? '');
  const at = senderTime(field(event, 'time')) ?? receivedAt;
  const acknowledges = action === 'acknowledge';
  const message = textField(event, 'message');
  const user = textField(event, 'username');
  return momentEvent(
    {
      dedupKey: `incident ${id}`,
      action,
      name: known ? `${what} is ${known.word}` : what,
      type: 'alert',
      priority: known?.priority ?? 'medium',
      severity,
      by: user,
      comment: acknowledges ? message : null,
      description: paragraphs(
        acknowledges ? null : codeBlock(message),
        factLines([
          ['Host', host],
          ['Service', service],
          ['Incident', id],
          ['By', acknowledges ? null : user],
        ]),
      ),
      source: 'Icinga',
      sourceUrl: textField(object, 'url'),
      occurredAt: at,
      at,
    },
    receivedAt,
  );
}
