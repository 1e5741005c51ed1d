import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import { type LooseFields, looseFields } from './loose-fields.ts';
import { objectsField, quoted, readJsonObject, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';
import { readZabbixMessage } from './zabbix-message.ts';
import { hasEnded, zabbixTimes } from './zabbix-times.ts';

const EXPECTED = stored('what the media type from our page about Zabbix sends');

/** Zabbix has no webhook format of its own: these are the parameters of our media type, or of one like it. */
export const zabbix: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readZabbix };

function readZabbix({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  if (textField(parsed.object, 'event_value') === '{EVENT.VALUE}')
    return {
      ignored: stored('Its macros are not filled: it is a test of the media type, and the webhook works.'),
    };
  const fields = looseFields(parsed.object, ['event', 'trigger']);
  const kind = fields.text('event_source');
  if (kind === '1' || kind === '2') return { ignored: stored('It is about a discovery or a registration.') };
  const subject = readSubject(fields.text('alert_subject', 'subject'));
  const name = fields.text('event_name', 'trigger_name', 'problem_name', 'trigger') ?? subject.name;
  const action = actionOf(fields, subject.state);
  if (!name || !action) return unreadable(bodyLacks(name ? 'event_value' : 'event_name'), EXPECTED);
  return { events: [problemEvent(fields, name, action, receivedAt)] };
}

type Subject = { name: string | null; state: 'problem' | 'resolved' | null };

/** Zabbix's own subjects: `Problem: …`, `Resolved in 5m 3s: …`, `Updated problem in 2m: …`. */
function readSubject(subject: string | null): Subject {
  const head = /^\s*(Problem|Resolved|Updated problem)(?: in [^:]{0,100})?:\s*/i.exec(
    subject?.slice(0, 200) ?? '',
  );
  if (!subject || !head) return { name: subject, state: null };
  const state = /^resolved/i.test(head[1] ?? '') ? 'resolved' : 'problem';
  return { name: subject.slice(head[0].length), state };
}

function actionOf(fields: LooseFields, subjectState: Subject['state']): MomentEvent['action'] | null {
  const value = fields.text('event_value', 'trigger_value')?.trim();
  const status = fields.text('event_status', 'trigger_status', 'status')?.trim().toLowerCase();
  if (value === '0' || status === 'ok' || status === 'resolved') return 'resolve';
  if (value === '1' || status === 'problem') return isUpdate(fields) ? updateAction(fields) : 'open';
  return subjectState === null ? null : subjectState === 'resolved' ? 'resolve' : 'open';
}

/**
 * People also comment on problems that are over: such an update has the time of the recovery. Otherwise, it describes
 * itself in words, such as `unacknowledged and commented`, if the media type sends them.
 */
function updateAction(fields: LooseFields): MomentEvent['action'] {
  if (hasEnded(fields)) return 'resolve';
  if (/\bunacknowledged\b/i.test(fields.text('event_update_action')?.slice(0, 500) ?? ''))
    return 'unacknowledge';
  return isAcknowledged(fields) ? 'acknowledge' : 'open';
}

function isUpdate(fields: LooseFields): boolean {
  return fields.text('event_update_status')?.trim() === '1';
}

function isAcknowledged(fields: LooseFields): boolean {
  return /^(yes|1|true)$/i.test(fields.text('event_ack_status')?.trim() ?? '');
}

function problemEvent(
  fields: LooseFields,
  name: string,
  action: MomentEvent['action'],
  receivedAt: Temporal.Instant,
): MomentEvent {
  const said = readZabbixMessage(fields.text('alert_message', 'message'));
  const host = fields.text('host_name', 'host_host', 'hostname', 'host') ?? said.host;
  const severity = fields.text('event_severity', 'trigger_severity', 'severity') ?? said.severity;
  const problemId = fields.text('event_id') ?? said.problemId;
  return momentEvent(
    {
      // The id of the problem, which the report of its end has too.
      dedupKey: problemId ?? `trigger ${fields.text('trigger_id') ?? name} ${host ?? ''}`,
      action,
      name: host && !name.includes(host) ? `${name} on ${host}` : name,
      type: 'alert',
      priority: priorityOf(fields.text('event_nseverity', 'trigger_nseverity') ?? severity),
      severity: severity ?? fields.text('event_nseverity'),
      labels: tagsOf(fields),
      ...acknowledgement(fields, action),
      description: description(fields, action, host),
      source: 'Zabbix',
      sourceUrl: linkOf(fields),
      ...zabbixTimes(fields, action, isUpdate(fields), receivedAt),
    },
    receivedAt,
  );
}

/** Zabbix counts its severities from 0 (not classified) to 5 (disaster); a warning is the second lowest of them. */
const PRIORITIES = new Map<string, Priority>([
  ...(['5', 'disaster', '4', 'high'] as const).map((word) => [word, 'high'] as const),
  ...(['3', 'average'] as const).map((word) => [word, 'medium'] as const),
  ...(['2', 'warning', '1', 'information', '0', 'not classified'] as const).map(
    (word) => [word, 'low'] as const,
  ),
]);

function priorityOf(severity: string | null): Priority {
  return PRIORITIES.get(severity?.trim().toLowerCase() ?? '') ?? 'medium';
}

function tagsOf(fields: LooseFields): string[] {
  const json = fields.text('event_tags_json');
  const parsed = json ? readJsonObject(Buffer.from(`{"tags":${json}}`)) : { problem: '' };
  if ('problem' in parsed) return fields.list('event_tags');
  return objectsField(parsed.object, 'tags')
    .slice(0, 100)
    .flatMap((tag) => {
      const [name, value] = [textField(tag, 'tag'), textField(tag, 'value')];
      return name === null ? [] : value === null ? [name] : [name, `${name}:${value}`];
    });
}

function linkOf(fields: LooseFields): string | null {
  const base = httpUrlOrNull(fields.text('zabbix_url'))?.replace(/\/$/, '');
  const [trigger, event] = [fields.text('trigger_id'), fields.text('event_id')];
  if (base && trigger && event)
    return `${base}/tr_events.php?triggerid=${encodeURIComponent(trigger.toWellFormed())}&eventid=${encodeURIComponent(event.toWellFormed())}`;
  return httpUrlOrNull(fields.text('event_url', 'trigger_url', 'link', 'url')) ?? base ?? null;
}

/**
 * Who acknowledged it, and their comment; nothing from later comments on an acknowledged problem. Media types that do
 * not send the kind of update are trusted.
 */
function acknowledgement(
  fields: LooseFields,
  action: MomentEvent['action'],
): Pick<MomentEvent, 'by' | 'comment'> {
  const did = fields.text('event_update_action')?.slice(0, 500) ?? 'acknowledged';
  if (!isUpdate(fields) || (action === 'acknowledge' && !/\backnowledged\b/i.test(did))) return {};
  return { by: updater(fields), comment: fields.text('event_update_message') };
}

function updater(fields: LooseFields): string | null {
  return fields.text('user_fullname', 'event_update_user');
}

function description(fields: LooseFields, action: MomentEvent['action'], host: string | null): string | null {
  // The message of an acknowledgement is only about the acknowledgement, so the texts of the problem stay.
  if (action === 'acknowledge') return null;
  const comment = fields.text('event_update_message');
  return paragraphs(
    plainText(fields.text('alert_message', 'message')),
    plainText(fields.text('trigger_description')),
    factLines([
      ['Host', host],
      ['Address', fields.text('host_ip', 'host_conn')],
      ['Severity', fields.text('event_severity')],
      ['Data', fields.text('event_opdata')],
      ['Updated by', isUpdate(fields) ? updater(fields) : null],
      ['Comment', comment && quoted(comment)],
    ]),
  );
}
