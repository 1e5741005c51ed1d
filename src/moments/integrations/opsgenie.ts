import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { plainMarkdown } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { field, firstText, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Opsgenie's outgoing webhook, and that of Jira Service Management, which uses the same format. Neither signs. */
export const opsgenie: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readOpsgenie };

function readOpsgenie({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, stored('an Opsgenie webhook'));
  const word = textField(parsed.object, 'action')?.toLowerCase();
  if (!word) return unreadable(bodyLacks('action'), stored('an Opsgenie webhook'));
  const alert = objectField(parsed.object, 'alert');
  const id = firstText(alert, ['alertId', 'id', 'alias']);
  if (!id)
    return unreadable(stored('the body has no "alert" with an "alertId"'), stored('an Opsgenie webhook'));
  if (!ACTIONS.has(word))
    return {
      ignored: stored('The action {action} changes nothing about the alert that a moment shows.', {
        action: quoted(word),
      }),
    };
  return { events: [alertEvent(id, word, alert, receivedAt)] };
}

/** Notes, tags and teams do not change the alert itself. */
const ACTIONS = new Map<string, MomentEvent['action']>([
  ['create', 'open'],
  ['unacknowledge', 'unacknowledge'],
  ['updatepriority', 'open'],
  ['updatemessage', 'open'],
  ['updatedescription', 'open'],
  ['acknowledge', 'acknowledge'],
  ['close', 'resolve'],
  ['delete', 'resolve'],
]);

function alertEvent(id: string, word: string, alert: JsonObject, receivedAt: Temporal.Instant): MomentEvent {
  const createdAt = senderTime(field(alert, 'createdAt'));
  return momentEvent(
    {
      dedupKey: id,
      action: ACTIONS.get(word) ?? 'open',
      name: textField(alert, 'message') ?? `Opsgenie alert ${textField(alert, 'tinyId') ?? id}`,
      type: 'alert',
      priority: priorityOf(alert),
      severity: textField(alert, 'priority'),
      labels: texts(alert, 'tags'),
      by: word === 'create' ? null : textField(alert, 'username'),
      comment: textField(alert, 'note'),
      description: word === 'create' || textField(alert, 'description') ? description(alert) : null,
      source: 'Opsgenie',
      sourceUrl: httpUrlOrNull(
        `https://app.opsgenie.com/alert/detail/${encodeURIComponent(id.toWellFormed())}`,
      ),
      occurredAt: createdAt ?? receivedAt,
      at: eventTime(word, createdAt, senderTime(field(alert, 'updatedAt'))) ?? receivedAt,
    },
    receivedAt,
  );
}

/**
 * An alert is reported as created again for each further team, perhaps after its end. Only its creation time shows that
 * it is not new. Any other action without a time must not seem older than one with a time.
 */
function eventTime(
  word: string,
  createdAt: Temporal.Instant | null,
  updatedAt: Temporal.Instant | null,
): Temporal.Instant | null {
  if (word === 'create') return createdAt;
  return createdAt && updatedAt && latest(createdAt, updatedAt);
}

/** `P1` to `P5`, or the number alone. */
function priorityOf(alert: JsonObject): Priority {
  const level = /^p?([1-5])$/i.exec(textField(alert, 'priority')?.trim() ?? '')?.[1];
  return level ? (PRIORITIES[level] ?? 'medium') : 'medium';
}

const PRIORITIES: Record<string, Priority> = { 1: 'high', 2: 'high', 3: 'medium', 4: 'low', 5: 'low' };

function description(alert: JsonObject): string | null {
  return paragraphs(
    plainText(textField(alert, 'description')),
    factLines([
      ['Entity', textField(alert, 'entity')],
      ['Source', textField(alert, 'source')],
      ['Tags', nameList(texts(alert, 'tags'))],
      ['Teams', nameList(texts(alert, 'teams'))],
      ['Alias', textField(alert, 'alias')],
      ['Alert', textField(alert, 'tinyId')],
    ]),
    factLines(details(alert)),
  );
}

/** The alert's own details, with names that its creator chose. */
function details(alert: JsonObject): [string, string | null][] {
  const given = objectField(alert, 'details');
  return Object.keys(given)
    .slice(0, 20)
    .map((name) => [plainMarkdown(name.slice(0, 100).replace(/\s+/g, ' ')), textField(given, name)]);
}

function texts(object: JsonObject, name: string): string[] {
  const list = field(object, name);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && /\S/.test(one)) : [];
}
