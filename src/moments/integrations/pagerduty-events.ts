import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import type { AdapterResult } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, type JsonObject, objectField, objectsField, quoted, textField } from './payload.ts';
import { codeBlock, linkLine } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['trigger', 'open'],
  ['acknowledge', 'acknowledge'],
  ['resolve', 'resolve'],
]);

/**
 * What tools send to PagerDuty's Events API, version 2: those whose address for it can be changed may be pointed here. Null
 * when the body is something else.
 */
export function readPagerdutyEvent(body: JsonObject, receivedAt: Temporal.Instant): AdapterResult | null {
  const word = textField(body, 'event_action');
  if (word === null) return null;
  const action = ACTIONS.get(word.trim().toLowerCase());
  if (!action)
    return { error: `the "event_action" is ${quoted(word)}; trigger, acknowledge or resolve is expected.` };
  const key = textField(body, 'dedup_key');
  const payload = objectField(body, 'payload');
  const summary = textField(payload, 'summary');
  if (action === 'open' && !summary)
    return { error: 'the "payload" has no "summary"; nothing can be recorded.' };
  if (action !== 'open' && !key)
    return { error: `the event to ${word} has no "dedup_key"; nobody knows what it is about.` };
  return { events: [toolEvent(body, payload, { action, key, summary }, receivedAt)] };
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
      dedupKey: key && `event ${key}`,
      action,
      name: summary ?? `PagerDuty event ${key}`,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'medium',
      severity,
      description: description(payload, links),
      source: textField(body, 'client') ?? textField(payload, 'source') ?? 'PagerDuty event',
      sourceUrl: httpUrlOrNull(textField(body, 'client_url')) ?? hrefOf(links[0]),
      occurredAt: at ?? receivedAt,
      // The time is that of the trouble, also in what tells of its end.
      at: receivedAt,
    },
    receivedAt,
  );
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

/** A label of a stranger's, on one line and without what would end it. */
function linkText(text: string | null): string {
  return (
    (text ?? 'Link')
      .slice(0, 100)
      .replace(/[\s\\[\]<>`*_]+/g, ' ')
      .trim() || 'Link'
  );
}
