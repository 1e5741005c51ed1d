import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, firstText, isObject, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { codeBlock, linkLine } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { readStatusPage } from './status-page.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Better Stack Uptime: incidents and reports of its status pages. Its calls are not signed. */
export const betterStack: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readBetterStack };

const SOURCE = 'Better Stack';
const EXPECTED = stored('a Better Stack webhook about an incident');

function readBetterStack({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const report = readStatusPage(parsed.object, SOURCE, receivedAt);
  if (report) return report;
  if (Array.isArray(field(parsed.object, 'data')))
    return { ignored: stored('It is a list, as Better Stack sends when the on-call contact changes.') };
  const data = objectField(parsed.object, 'data');
  const [id, type] = [textField(data, 'id'), textField(data, 'type')];
  if (type !== null && type !== 'incident')
    return { ignored: stored('It is about {type}, not about an incident.', { type: quoted(type) }) };
  if (!id) return unreadable(stored('the body has no "data" with an "id"'), EXPECTED);
  if (!isObject(field(data, 'attributes')))
    return unreadable(stored('the incident in "data" has no "attributes"'), EXPECTED);
  return { events: [incidentEvent(id, textField(parsed.object, 'event'), data, receivedAt)] };
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['started', 'open'],
  ['acknowledged', 'acknowledge'],
  ['resolved', 'resolve'],
]);

const CHANGED_BY = new Map<MomentEvent['action'], string>([
  ['acknowledge', 'acknowledged_by'],
  ['resolve', 'resolved_by'],
]);

function incidentEvent(
  id: string,
  event: string | null,
  data: JsonObject,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const attributes = objectField(data, 'attributes');
  const time = (name: string) => senderTime(field(attributes, name));
  const [started, acknowledged, resolved] = [
    time('started_at'),
    time('acknowledged_at'),
    time('resolved_at'),
  ];
  const action =
    ACTIONS.get(event?.toLowerCase() ?? '') ?? (resolved ? 'resolve' : acknowledged ? 'acknowledge' : 'open');
  // An event must not seem older than the earlier steps of its incident.
  const changed = { open: started, acknowledge: acknowledged, unacknowledge: null, resolve: resolved }[
    action
  ];
  const changedBy = CHANGED_BY.get(action) ?? null;
  const name = firstText(attributes, ['name', 'url']);
  const severity = firstText(attributes, ['severity', 'priority', 'urgency']);
  return momentEvent(
    {
      dedupKey: id,
      action,
      name:
        [name, textField(attributes, 'cause')].filter(Boolean).join(': ') || `Better Stack incident ${id}`,
      type: 'incident',
      priority: priorityOfSeverity(severity) ?? 'high',
      severity,
      by: changedBy && textField(attributes, changedBy),
      description: description(attributes),
      source: SOURCE,
      sourceUrl:
        httpUrlOrNull(textField(attributes, 'origin_url')) ?? httpUrlOrNull(textField(attributes, 'url')),
      occurredAt: started ?? receivedAt,
      at: (started && changed && latest(started, changed)) ?? receivedAt,
    },
    receivedAt,
  );
}

function description(attributes: JsonObject): string | null {
  const link = (label: string, name: string) =>
    markdownLink(label, httpUrlOrNull(textField(attributes, name)));
  return paragraphs(
    factLines([
      ['Cause', textField(attributes, 'cause')],
      ['URL', textField(attributes, 'url')],
      ['Method', textField(attributes, 'http_method')],
      ['Team', textField(attributes, 'team_name')],
      ['Acknowledged by', textField(attributes, 'acknowledged_by')],
      ['Resolved by', textField(attributes, 'resolved_by')],
    ]),
    codeBlock(textField(attributes, 'response_content')?.slice(0, 2_000) ?? null),
    linkLine(link('Screenshot', 'screenshot_url'), link('Response', 'response_url')),
  );
}
