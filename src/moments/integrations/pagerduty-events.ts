import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent, shortKey } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { detailLabels } from './detail-labels.ts';
import { type DialectCall, readDialectCall } from './dialect-call.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, type JsonObject, objectField, objectsField, quoted, textField } from './payload.ts';
import { codeBlock, linkLine } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { bodyLacks, unreadable, unreadableBody, unrecordable } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Calls of PagerDuty's Events API, versions 1 and 2, and change events. */
export const pagerdutyEvents: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readEventsCall };

const EXPECTED = stored("an event of PagerDuty's Events API");

function readEventsCall({ body, receivedAt }: AdapterInput): AdapterResult {
  const call = readDialectCall(body);
  const parsed = readPayload(Buffer.from(call.body));
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const event = withKey(
    isFirstVersion(call, parsed.object) ? asSecondVersion(parsed.object) : parsed.object,
    call,
  );
  if (/\/change\/enqueue$/.test(call.path)) return changeEvent(event, receivedAt);
  return readPagerdutyEvent(event, receivedAt, '') ?? unreadable(bodyLacks('event_action'), EXPECTED);
}

function withKey(event: JsonObject, call: DialectCall): JsonObject {
  return call.dedup_key === undefined ? event : { ...event, dedup_key: call.dedup_key };
}

/** Some senders of version 1 leave the fields of version 2 in the body, blank. */
function isFirstVersion(call: DialectCall, body: JsonObject): boolean {
  if (call.path.endsWith('/create_event.json')) return true;
  return (
    textField(body, 'event_action') === null &&
    ACTIONS.has(textField(body, 'event_type')?.toLowerCase() ?? '')
  );
}

function asSecondVersion(body: JsonObject): JsonObject {
  const contexts = objectsField(body, 'contexts');
  return {
    event_action: field(body, 'event_type'),
    dedup_key: field(body, 'incident_key'),
    client: field(body, 'client'),
    client_url: field(body, 'client_url'),
    payload: { summary: field(body, 'description'), custom_details: field(body, 'details') },
    links: contexts.filter((context) => textField(context, 'href') !== null),
    images: contexts.filter((context) => textField(context, 'src') !== null),
  };
}

/** Change events notify nobody, and no other event refers to them. */
function changeEvent(body: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const payload = objectField(body, 'payload');
  const summary = textField(payload, 'summary');
  if (!summary) return unrecordable(stored('the "payload" has no "summary"'));
  const event = toolEvent(body, payload, { action: 'open', key: null, summary }, receivedAt);
  const labels = ['change', ...(event.labels ?? [])];
  return { events: [{ ...event, dedupKey: null, priority: 'low', severity: null, labels, pages: false }] };
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['trigger', 'open'],
  ['acknowledge', 'acknowledge'],
  ['resolve', 'resolve'],
]);

/**
 * Calls for PagerDuty's Events API, version 2, from tools in which its URL can be changed to ours. Null for any other
 * body. `prefix` keeps its keys apart from others of the same webhook.
 */
export function readPagerdutyEvent(
  body: JsonObject,
  receivedAt: Temporal.Instant,
  prefix: string,
): AdapterResult | null {
  const word = textField(body, 'event_action');
  if (word === null) return null;
  const action = ACTIONS.get(word.trim().toLowerCase());
  if (!action)
    return unreadable(
      stored('the "event_action" is {value}', { value: quoted(word) }),
      stored('trigger, acknowledge or resolve'),
    );
  const key = textField(body, 'dedup_key');
  const payload = objectField(body, 'payload');
  const summary = textField(payload, 'summary');
  if (action === 'open' && !summary) return unrecordable(stored('the "payload" has no "summary"'));
  if (action !== 'open' && !key)
    return {
      error: stored(
        'the event to {action} has no "dedup_key"; give the one of the event that triggered it.',
        { action: word },
      ),
    };
  const event = toolEvent(body, payload, { action, key, summary }, receivedAt);
  return { events: [{ ...event, dedupKey: key && shortKey(`${prefix}${event.dedupKey}`) }] };
}

function toolEvent(
  body: JsonObject,
  payload: JsonObject,
  { action, key, summary }: { action: MomentEvent['action']; key: string | null; summary: string | null },
  receivedAt: Temporal.Instant,
): MomentEvent {
  const severity = textField(payload, 'severity');
  const at = senderTime(field(payload, 'timestamp'));
  const links = objectsField(body, 'links').slice(0, 10);
  return momentEvent(
    {
      dedupKey: key,
      action,
      name: summary ?? `PagerDuty event ${key}`,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'medium',
      severity,
      labels: [
        ...detailLabels(Object.fromEntries(LABELS.map((name) => [name, field(payload, name)]))),
        ...detailLabels(objectField(payload, 'custom_details')),
      ],
      description: description(payload, [...links, ...images(body)]),
      bare: summary === null,
      source: textField(body, 'client') ?? textField(payload, 'source') ?? 'PagerDuty event',
      sourceUrl: httpUrlOrNull(textField(body, 'client_url')) ?? hrefOf(links[0]),
      occurredAt: at ?? receivedAt,
      // The time is the beginning of the problem, even in the event that ends it.
      at: receivedAt,
    },
    receivedAt,
  );
}

const LABELS = ['source', 'component', 'group', 'class'];

/** Images become links, because most channels cannot show images. */
function images(body: JsonObject): JsonObject[] {
  return objectsField(body, 'images')
    .slice(0, 10)
    .map((image) => ({ href: field(image, 'src'), text: textField(image, 'alt') ?? 'Image' }));
}

function hrefOf(link: JsonObject | undefined): string | null {
  return link ? httpUrlOrNull(textField(link, 'href')) : null;
}

function description(payload: JsonObject, links: readonly JsonObject[]): string | null {
  const details = field(payload, 'custom_details');
  const text = typeof details === 'string' ? details : details ? JSON.stringify(details, null, 2) : null;
  return paragraphs(
    factLines([
      ['Source', textField(payload, 'source')],
      ['Component', textField(payload, 'component')],
      ['Group', textField(payload, 'group')],
      ['Class', textField(payload, 'class')],
    ]),
    codeBlock(text),
    linkLine(
      ...links.map((link) =>
        markdownLink(linkText(textField(link, 'text')), httpUrlOrNull(textField(link, 'href'))),
      ),
    ),
  );
}

/** An external label, on one line and without characters that would end it. */
function linkText(text: string | null): string {
  return (
    (text ?? 'Link')
      .slice(0, 100)
      .replace(/[\s\\[\]<>`*_]+/g, ' ')
      .trim() || 'Link'
  );
}
