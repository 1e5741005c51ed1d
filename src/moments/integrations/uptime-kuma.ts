import { sha256 } from '../../kit/sealing.ts';
import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import {
  field,
  firstText,
  isObject,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  textField,
} from './payload.ts';
import { plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('a notification of Uptime Kuma (heartbeat, monitor and msg)');

/** Uptime Kuma's webhook notifications, as JSON or as a form with JSON in it. */
export const uptimeKuma: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readUptimeKuma };

function readUptimeKuma({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const { object } = parsed;
  if (!isObject(field(object, 'heartbeat'))) return readMessage(textField(object, 'msg'), receivedAt);
  const heartbeat = objectField(object, 'heartbeat');
  const status = textField(heartbeat, 'status');
  if (status === null) return unreadable(stored('the heartbeat has no "status"'), EXPECTED);
  if (status === '2') return { ignored: stored('The monitor is retried before it counts as down.') };
  if (status === '3') return { ignored: stored('The monitor is under maintenance.') };
  if (status !== '0' && status !== '1')
    return unreadable(
      stored('the status is {status}', { status: quoted(status) }),
      stored('0 (down) or 1 (up)'),
    );
  const monitor = objectField(object, 'monitor');
  if (monitorKey(monitor, heartbeat) === null)
    return unreadable(stored('neither "monitor" nor "heartbeat" names the monitor'), EXPECTED);
  return { events: [monitorEvent(object, monitor, heartbeat, status === '0', receivedAt)] };
}

/** Tests and warnings about certificates and domains only have a message. */
function readMessage(message: string | null, receivedAt: Temporal.Instant): AdapterResult {
  if (message === null) return unreadable(stored('the body has neither "heartbeat" nor "msg"'), EXPECTED);
  if (/\btesting$/i.test(message.slice(-100).trim()))
    return { ignored: stored('It is a test by {tool}: the webhook works.', { tool: 'Uptime Kuma' }) };
  if (!/\bexpires?\b/i.test(message.slice(0, 2_000))) return unreadable(bodyLacks('heartbeat'), EXPECTED);
  const event = momentEvent(
    {
      // The number of remaining days changes. The rest of the message stays the same.
      dedupKey: `expiry ${sha256(message.replace(/\d+(?= days?\b)/g, '')).toString('hex')}`,
      action: 'open',
      name: message.replace(/^(?:\[[^\]]{0,300}\]){1,2}\s*(?=\S)/, ''),
      type: 'alert',
      priority: 'low',
      description: plainText(message),
      source: 'Uptime Kuma',
      sourceUrl: httpUrlOrNull(/\]\[(https?:\/\/[^\]\s]+)\]/.exec(message.slice(0, 2_000))?.[1]),
      occurredAt: receivedAt,
      at: receivedAt,
    },
    receivedAt,
  );
  return { events: [event] };
}

function monitorKey(monitor: JsonObject, heartbeat: JsonObject): string | null {
  return (
    textField(monitor, 'id') ??
    firstText(heartbeat, ['monitorID', 'monitor_id']) ??
    textField(monitor, 'name')
  );
}

function monitorEvent(
  body: JsonObject,
  monitor: JsonObject,
  heartbeat: JsonObject,
  isDown: boolean,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const at = senderTime(field(heartbeat, 'time')) ?? receivedAt;
  const tags = objectsField(monitor, 'tags').slice(0, 100);
  const severity = tags.flatMap((tag) => severityTag(tag) ?? [])[0] ?? null;
  return momentEvent(
    {
      dedupKey: `monitor ${monitorKey(monitor, heartbeat)}`,
      action: isDown ? 'open' : 'resolve',
      name: `${firstText(monitor, ['name', 'pathName']) ?? 'A monitor'} is ${isDown ? 'down' : 'up'}`,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'high',
      severity,
      labels: tags.flatMap(labelsOf),
      description: description(body, monitor, heartbeat),
      source: 'Uptime Kuma',
      sourceUrl: textField(monitor, 'url'),
      occurredAt: at,
      at,
    },
    receivedAt,
  );
}

/** A monitor has no severity, but it can have a tag with that name. */
function severityTag(tag: JsonObject): string | null {
  return /^(severity|priority)$/i.test(textField(tag, 'name') ?? '') ? textField(tag, 'value') : null;
}

function labelsOf(tag: JsonObject): string[] {
  const name = textField(tag, 'name');
  const value = textField(tag, 'value');
  return name === null ? [] : value === null ? [name] : [name, `${name}:${value}`];
}

function description(body: JsonObject, monitor: JsonObject, heartbeat: JsonObject): string | null {
  const port = textField(monitor, 'port');
  const host = textField(monitor, 'hostname');
  return paragraphs(
    plainText(textField(heartbeat, 'msg') ?? textField(body, 'msg')),
    factLines([
      ['Kind', textField(monitor, 'type')],
      ['URL', httpUrlOrNull(textField(monitor, 'url'))],
      ['Host', host && (port ? `${host}:${port}` : host)],
      ['Description', textField(monitor, 'description')],
    ]),
  );
}
