import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent, pageOrder, shortKey } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { detailLabels } from './detail-labels.ts';
import { callObject, type DialectCall, readDialectCall } from './dialect-call.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { opsgenieTarget } from './opsgenie-paths.ts';
import type { Named, PageOrder } from './page-order.ts';
import { field, firstText, type JsonObject, objectField, objectsField, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { bodyLacks, unreadableBody, unrecordable } from './unread.ts';

/** Calls of Opsgenie's Alert API, version 2. */
export const opsgenieApi: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readCall };

const EXPECTED = stored("a call of Opsgenie's Alert API");

function readCall({ body, receivedAt }: AdapterInput): AdapterResult {
  const call = readDialectCall(body);
  const parsed = callObject(call);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const target = opsgenieTarget(call.method, call.path);
  if (target.kind === 'create' || target.kind === 'none')
    return createdAlert(call, parsed.object, receivedAt);
  if (target.kind !== 'action')
    return { ignored: stored('The call only reads data, so it changes nothing.') };
  const { action, identifier } = target;
  const key = shortKey(call.dedup_key ?? identifier);
  if (!key) return { error: stored('the path names no alert.') };
  const about = { ...acting(call, parsed.object), dedupKey: key, at: receivedAt };
  const change = CHANGES.get(action);
  if (change) return { events: [changeEvent(change, about, receivedAt)] };
  const order = ORDERS[action]?.(parsed.object, call);
  if (order === undefined)
    return {
      ignored: stored('The action {action} changes nothing about a page.', {
        action: JSON.stringify(action.slice(0, 60)),
      }),
    };
  if (typeof order === 'string') return { error: `${bodyLacks(order)}.` };
  return { events: [], orders: [pageOrder({ ...about, ...order } as PageOrder)] };
}

function createdAlert(call: DialectCall, body: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const message = textField(body, 'message');
  if (!message) return unrecordable(stored('the "message" is missing or empty'));
  const details = objectField(body, 'details');
  const priority = textField(body, 'priority')?.trim() ?? null;
  const { by, comment } = acting(call, body);
  const event = momentEvent(
    {
      dedupKey: firstText(body, ['alias']) ?? call.dedup_key ?? null,
      action: 'open',
      name: message,
      type: 'alert',
      priority: priorityOf(priority),
      severity: priority,
      labels: [...texts(body, 'tags'), ...detailLabels(details), ...responderLabels(body)],
      description: description(body, details, comment),
      source: textField(body, 'source') ?? 'Opsgenie API',
      sourceUrl: httpUrlOrNull(textField(details, 'url')) ?? httpUrlOrNull(textField(body, 'source')),
      occurredAt: receivedAt,
      at: receivedAt,
      by,
    },
    receivedAt,
  );
  return { events: [event] };
}

const CHANGES = new Map<string, MomentEvent['action']>([
  ['close', 'resolve'],
  ['delete', 'resolve'],
  ['acknowledge', 'acknowledge'],
  ['unacknowledge', 'unacknowledge'],
]);

function changeEvent(
  action: MomentEvent['action'],
  { dedupKey, by, comment }: { dedupKey: string; by: string | null; comment: string | null },
  receivedAt: Temporal.Instant,
): MomentEvent {
  const event: MomentEvent = {
    ...{
      dedupKey,
      action,
      by,
      comment,
      name: `Opsgenie alert ${dedupKey}`,
      bare: true,
      type: 'alert',
      priority: 'medium',
    },
    ...{ description: null, source: 'Opsgenie API', sourceUrl: null, occurredAt: receivedAt, at: receivedAt },
  };
  return momentEvent(event, receivedAt);
}

type About = 'dedupKey' | 'by' | 'comment' | 'at';
type Wanted = { comment?: string } & {
  [Kind in PageOrder['order']]: Omit<Extract<PageOrder, { order: Kind }>, About>;
}[PageOrder['order']];

/** The effect of each action; a text is the name of a missing required field. */
const ORDERS: Readonly<Record<string, (body: JsonObject, call: DialectCall) => Wanted | string>> = {
  notes: (body) => (textField(body, 'note') ? { order: 'comment' } : 'note'),
  tags: (body) => noteOrder('Tags added', texts(body, 'tags'), 'tags'),
  details: (body) => noteOrder('Details added', detailLabels(objectField(body, 'details')), 'details'),
  message: (body) => fieldOrder(body, 'message', (title) => ({ order: 'title', title })),
  description: (body) =>
    fieldOrder(body, 'description', (text) => ({ order: 'text', text: plainText(text) ?? '' })),
  priority: (body) => fieldOrder(body, 'priority', (severity) => ({ order: 'severity', severity })),
  snooze(body) {
    const until = senderTime(field(body, 'endTime'));
    return until ? { order: 'snooze', until } : 'endTime';
  },
  escalate: () => ({ order: 'escalate' }),
  assign: (body) => addOrder(named('person', objectField(body, 'owner')), 'owner'),
  teams: (body) => addOrder(named('team', objectField(body, 'team')), 'team'),
  responders(body) {
    const responder = objectField(body, 'responder');
    const kind = textField(responder, 'type')?.toLowerCase() === 'user' ? 'person' : 'team';
    return addOrder(named(kind, responder), 'responder');
  },
};

function fieldOrder(body: JsonObject, name: string, order: (text: string) => Wanted): Wanted | string {
  const text = textField(body, name);
  return text ? order(text) : name;
}

/** A page has no tags, so its timeline shows them. */
function noteOrder(label: string, names: readonly string[], name: string): Wanted | string {
  return names.length > 0 ? { order: 'comment', comment: `${label}: ${nameList(names)}` } : name;
}

function addOrder(responder: Named | null, name: string): Wanted | string {
  return responder ? { order: 'add', responder } : name;
}

function named(kind: Named['kind'], object: JsonObject): Named | null {
  const name = firstText(object, ['username', 'name', 'id']);
  return name === null ? null : { kind, name: name.trim() };
}

/** The person and the note of a call. Calls without a body may have them in the query. */
function acting(call: DialectCall, body: JsonObject): { by: string | null; comment: string | null } {
  const by = textField(body, 'user') ?? textField(call.query, 'user');
  return { by, comment: textField(body, 'note') ?? textField(call.query, 'note') };
}

const PRIORITIES: Record<string, Priority> = { P1: 'high', P2: 'high', P4: 'low', P5: 'low' };

function priorityOf(word: string | null): Priority {
  return PRIORITIES[word?.toUpperCase() ?? ''] ?? 'medium';
}

function responderLabels(body: JsonObject): string[] {
  return [...objectsField(body, 'responders'), ...objectsField(body, 'teams')].slice(0, 50).flatMap((one) => {
    const name = firstText(one, ['name', 'username', 'id']);
    return name === null ? [] : [`responder=${name.slice(0, 200)}`];
  });
}

function description(body: JsonObject, details: JsonObject, comment: string | null): string | null {
  return paragraphs(
    plainText(textField(body, 'description')),
    factLines([
      ['Entity', textField(body, 'entity')],
      ['Source', textField(body, 'source')],
      ['Tags', nameList(texts(body, 'tags'))],
      ['Responders', nameList(responderLabels(body).map((label) => label.slice('responder='.length)))],
      ['Actions', nameList(texts(body, 'actions'))],
      ['By', textField(body, 'user')],
    ]),
    factLines(
      Object.keys(details)
        .slice(0, 20)
        .map((name) => [plainText(name.slice(0, 100).replace(/\s+/g, ' ')) ?? '', textField(details, name)]),
    ),
    plainText(comment),
  );
}

function texts(object: JsonObject, name: string): string[] {
  const list = field(object, name);
  return Array.isArray(list)
    ? list.filter((one) => typeof one === 'string' && /\S/.test(one)).slice(0, 100)
    : [];
}
