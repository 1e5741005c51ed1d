import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { detailLabels } from './detail-labels.ts';
import { readDialectCall } from './dialect-call.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, firstText, type JsonObject, quoted, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Calls of the REST endpoint of Splunk On-Call (VictorOps). */
export const victorops: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readCall };

const ACTIONS: Record<string, { action: MomentEvent['action']; priority: Priority; pages?: false }> = {
  CRITICAL: { action: 'open', priority: 'high' },
  WARNING: { action: 'open', priority: 'low' },
  INFO: { action: 'open', priority: 'low', pages: false },
  ACKNOWLEDGEMENT: { action: 'acknowledge', priority: 'medium' },
  RECOVERY: { action: 'resolve', priority: 'medium' },
};

/** Some senders abbreviate the words. */
const SHORTER: Record<string, string> = {
  ACK: 'ACKNOWLEDGEMENT',
  ACKNOWLEDGMENT: 'ACKNOWLEDGEMENT',
  OK: 'RECOVERY',
};

/** Fields that the text already shows, and fields that mean nothing to people. */
const SHOWN = [
  'message_type',
  'entity_id',
  'entity_display_name',
  'state_message',
  'state_start_time',
  'timestamp',
];

function readCall({ body, receivedAt }: AdapterInput): AdapterResult {
  const call = readDialectCall(body);
  const parsed = readPayload(Buffer.from(call.body));
  if ('problem' in parsed)
    return unreadableBody(parsed.problem, stored('an alert of Splunk On-Call (VictorOps)'));
  const alert = parsed.object;
  const word = textField(alert, 'message_type')?.trim().toUpperCase();
  if (!word) return unreadable(bodyLacks('message_type'), stored('an alert of Splunk On-Call (VictorOps)'));
  const kind = ACTIONS[SHORTER[word] ?? word];
  if (!kind)
    return unreadable(
      stored('the "message_type" is {value}', { value: quoted(word) }),
      stored('CRITICAL, WARNING, INFO, ACKNOWLEDGEMENT or RECOVERY'),
    );
  const key = textField(alert, 'entity_id') ?? call.dedup_key ?? null;
  if (!key && kind.action !== 'open')
    return {
      error: stored('the {kind} has no "entity_id"; give the one of the alert that began it.', {
        kind: word,
      }),
    };
  return { events: [alertEvent(alert, { ...kind, word, key, routing: routingOf(call.path) }, receivedAt)] };
}

type Kind = { action: MomentEvent['action']; priority: Priority; pages?: false; word: string };

function alertEvent(
  alert: JsonObject,
  { word, key, routing, ...kind }: Kind & { key: string | null; routing: string | null },
  receivedAt: Temporal.Instant,
): MomentEvent {
  const others = Object.fromEntries(Object.entries(alert).filter(([name]) => !SHOWN.includes(name)));
  const event = momentEvent(
    {
      dedupKey: key,
      action: kind.action,
      name: firstText(alert, ['entity_display_name', 'state_message', 'entity_id']) ?? `VictorOps ${word}`,
      type: 'alert',
      priority: kind.priority,
      bare: kind.action === 'acknowledge',
      severity: word,
      labels: [...(routing === null ? [] : [`routing=${routing}`]), ...detailLabels(others)],
      description: paragraphs(plainText(textField(alert, 'state_message')), factLines(facts(others))),
      source: textField(alert, 'monitoring_tool') ?? 'VictorOps alert',
      sourceUrl: httpUrlOrNull(firstText(alert, ['alert_url', 'client_url', 'url'])),
      occurredAt: senderTime(field(alert, 'state_start_time')) ?? receivedAt,
      at: receivedAt,
      by: textField(alert, 'ack_author'),
      comment: kind.action === 'open' ? null : textField(alert, 'ack_msg'),
    },
    receivedAt,
  );
  return kind.pages === false ? { ...event, pages: false } : event;
}

function facts(others: JsonObject): [string, string | null][] {
  return Object.keys(others)
    .slice(0, 20)
    .map((name) => [plainText(name.slice(0, 100).replace(/\s+/g, ' ')) ?? '', textField(others, name)]);
}

/** The routing key behind the key of the path: `…/alert/<key>/<routing>`. */
function routingOf(path: string): string | null {
  const routing = /\/alert\/[^/]*\/([^/]+)\/?$/.exec(path)?.[1];
  return routing === undefined ? null : routing.slice(0, 200);
}
