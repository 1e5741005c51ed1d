import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { type DatadogTitle, readDatadogTitle } from './datadog-title.ts';
import { factLines, paragraphs } from './facts.ts';
import { type LooseFields, looseFields } from './loose-fields.ts';
import { isObject, textField } from './payload.ts';
import { linkLine, markdownText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('the payload from our page about Datadog');

/** Datadog's webhooks. Users define the template of the payload: ours, Datadog's default, or a similar one. */
export const datadog: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readDatadog };

function readDatadog({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const fields = looseFields(parsed.object, ['alert', 'event', 'monitor', 'metadata', 'meta']);
  const title = fields.text('alert_title', 'title', 'event_title', 'monitor_name', 'alert_name', 'name');
  if (!title) return unreadable(stored('the body has no "title" or "alert_title"'), EXPECTED);
  if (headOf(fields, title).state === null && !isDatadogs(fields))
    return unreadable(
      stored('the body has a title, but nothing else that Datadog sends, such as "alert_transition"'),
      EXPECTED,
    );
  return { events: [alertEvent(fields, title, receivedAt)] };
}

/** Many tools send a title. Every payload of Datadog also has at least one of these fields. */
function isDatadogs(fields: LooseFields): boolean {
  const type = fields.text('alert_type')?.trim().toLowerCase() ?? '';
  return type === 'success' || Object.hasOwn(ALERT_TYPES, type) || fields.value(...OWN_FIELDS) !== null;
}

const OWN_FIELDS = [
  ...['alert_transition', 'alert_title', 'alert_id', 'alert_status', 'alert_cycle_key'],
  ...['alert_priority', 'aggreg_key', 'event_title', 'event_msg', 'event_type', 'monitor_id', 'last_updated'],
  ...['org', 'date', 'snapshot', 'text_only_msg'],
];

function alertEvent(fields: LooseFields, title: string, receivedAt: Temporal.Instant): MomentEvent {
  const { name } = readDatadogTitle(title);
  const { priority, state, scope } = headOf(fields, title);
  const severity = fields.text('alert_priority') ?? priority;
  const transition = (fields.text('alert_transition', 'transition') ?? state ?? '').trim().toLowerCase();
  const began = senderTime(fields.value('date', 'event_date'));
  return momentEvent(
    {
      dedupKey: keyOf(fields, name, scope),
      action: isOver(transition, fields) ? 'resolve' : 'open',
      name,
      type: 'alert',
      priority: priorityOf(fields, severity, transition),
      severity: severity ?? fields.text('alert_type'),
      labels: fields.list('tags'),
      description: description(fields),
      source: 'Datadog',
      sourceUrl: linkOf(fields),
      occurredAt: began ?? receivedAt,
      at: senderTime(fields.value('last_updated')) ?? began ?? receivedAt,
    },
    receivedAt,
  );
}

/** A payload may have two titles. The alert's own title has no head. */
function headOf(fields: LooseFields, title: string): DatadogTitle {
  const named = readDatadogTitle(title);
  return named.state === null ? readDatadogTitle(fields.text('event_title', 'title') ?? title) : named;
}

function isOver(transition: string, fields: LooseFields): boolean {
  if (transition) return transition === 'recovered';
  return fields.text('alert_type')?.trim().toLowerCase() === 'success';
}

/** The id of the cycle from trigger to recovery; without one, monitor and scope, or the title. */
function keyOf(fields: LooseFields, name: string, titleScope: string | null): string {
  const cycle = fields.text('alert_cycle_key');
  if (cycle) return `cycle ${cycle}`;
  const scope = fields.text('alert_scope') ?? titleScope ?? '';
  const monitor = fields.text('alert_id', 'monitor_id');
  if (monitor) return `monitor ${monitor} ${scope}`;
  const aggregation = fields.text('aggreg_key', 'aggregation_key', 'agg_reg_key');
  if (aggregation) return `aggregation ${aggregation}`;
  return `title ${organizationOf(fields)} ${scope} ${name}`;
}

function organizationOf(fields: LooseFields): string {
  const organization = fields.value('org');
  return (isObject(organization) ? textField(organization, 'id') : null) ?? fields.text('org_id') ?? '';
}

const ALERT_TYPES: Readonly<Record<string, Priority>> = { error: 'high', warning: 'medium', info: 'low' };

function priorityOf(fields: LooseFields, severity: string | null, transition: string): Priority {
  const given = priorityOfSeverity(severity ?? fields.text('priority', 'severity'));
  if (given) return given;
  if (/^(re-)?(warn|no data)$/.test(transition)) return 'medium';
  const type = fields.text('alert_type')?.trim().toLowerCase() ?? '';
  return (Object.hasOwn(ALERT_TYPES, type) && ALERT_TYPES[type]) || 'medium';
}

function linkOf(fields: LooseFields): string | null {
  return httpUrlOrNull(fields.text('link', 'event_link', 'event_url', 'alert_url', 'url'));
}

function description(fields: LooseFields): string | null {
  const text = fields.text('text_only_msg', 'body', 'event_msg', 'event_message', 'message', 'text');
  return paragraphs(
    markdownText(text && withoutHandles(text)),
    factLines([
      ['Status', fields.text('alert_status')],
      ['Scope', fields.text('alert_scope')],
      ['Host', fields.text('hostname', 'host')],
      ['Metric', fields.text('alert_metric')],
      ['Query', fields.text('alert_query')],
    ]),
    linkLine(
      markdownLink('Event', linkOf(fields)),
      markdownLink('Snapshot', httpUrlOrNull(fields.text('snapshot'))),
    ),
  );
}

/** Removes the fences of Datadog's Markdown and the names of the people whom Datadog notified itself. */
function withoutHandles(text: string): string {
  return text
    .slice(0, 20_000)
    .replaceAll('%%%', '')
    .replace(
      /(^|\s)@(?:webhook|slack|pagerduty|opsgenie|teams|sns|jira|servicenow|workflow)-[^\s,;]{1,200}/g,
      '$1',
    );
}
