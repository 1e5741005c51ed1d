import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
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
  readJsonObject,
  textField,
} from './payload.ts';
import { linkLine, markdownText, plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('an incident of Google Cloud Monitoring');

/** Google Cloud Monitoring's webhook notification channel, schema 1.2. */
export const googleCloudMonitoring: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readGoogle };

function readGoogle({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const call = notificationIn(parsed.object);
  const incident = objectField(call, 'incident');
  const id = textField(incident, 'incident_id');
  const state = textField(incident, 'state');
  if (!id || !state)
    return unreadable(stored('the body has no "incident" with an "incident_id" and a "state"'), EXPECTED);
  if (textField(call, 'version')?.toLowerCase() === 'test')
    return {
      ignored: stored('It is a test by {tool}: the webhook works.', { tool: 'Google Cloud Monitoring' }),
    };
  const action = ACTIONS.get(state.trim().toLowerCase());
  if (!action)
    return {
      ignored: stored('The state {state} neither begins nor ends an incident.', { state: quoted(state) }),
    };
  return { events: [incidentEvent(incident, id, action, receivedAt)] };
}

/** A push subscription of Pub/Sub delivers the notification in base64. */
function notificationIn(body: JsonObject): JsonObject {
  const data = textField(objectField(body, 'message'), 'data');
  const parsed = data === null ? null : readJsonObject(Buffer.from(data, 'base64'));
  return parsed && 'object' in parsed ? parsed.object : body;
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['open', 'open'],
  ['acknowledged', 'acknowledge'],
  ['closed', 'resolve'],
]);

function incidentEvent(
  incident: JsonObject,
  id: string,
  action: MomentEvent['action'],
  receivedAt: Temporal.Instant,
): MomentEvent {
  const severity = textField(incident, 'severity');
  const began = senderTime(field(incident, 'started_at'));
  const ended = senderTime(field(incident, 'ended_at'));
  return momentEvent(
    {
      dedupKey: id,
      action,
      name: nameOf(incident) ?? `Incident ${id}`,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'medium',
      severity,
      labels: labelTexts(objectField(incident, 'policy_user_labels')),
      description: description(incident),
      source: 'Google Cloud Monitoring',
      sourceUrl: textField(incident, 'url'),
      occurredAt: began ?? receivedAt,
      // Without the time of the beginning, the time of the end cannot be compared.
      at: (began && (action === 'open' ? began : ended)) ?? receivedAt,
    },
    receivedAt,
  );
}

/** The subject of the policy, otherwise policy and condition. */
function nameOf(incident: JsonObject): string | null {
  const subject = textField(objectField(incident, 'documentation'), 'subject');
  if (subject) return subject.replace(/^\[(?:ALERT|RESOLVED)\b[^\]]{0,100}\]\s*(?=\S)/i, '');
  const policy = textField(incident, 'policy_name');
  const condition = textField(incident, 'condition_name');
  if (!policy || !condition || policy.includes(condition)) return policy ?? condition;
  return condition.includes(policy) ? condition : `${policy}: ${condition}`;
}

function labelTexts(labels: JsonObject): string[] {
  return Object.keys(labels)
    .slice(0, 50)
    .flatMap((name) => {
      const value = textField(labels, name);
      return value === null ? [name] : [value, `${name}=${value}`];
    });
}

function description(incident: JsonObject): string | null {
  const documentation = objectField(incident, 'documentation');
  const resource = objectField(incident, 'resource');
  const metric = objectField(incident, 'metric');
  const resourceLabels = objectField(resource, 'labels');
  return paragraphs(
    plainText(textField(incident, 'summary')),
    documentationText(incident),
    factLines([
      ['Resource', firstText(incident, ['resource_name', 'resource_type_display_name'])],
      [
        'Labels',
        labelTexts(resourceLabels)
          .filter((label) => label.includes('='))
          .join(', ') || null,
      ],
      ['Metric', firstText(metric, ['displayName', 'type'])],
      ['Observed', textField(incident, 'observed_value')],
      ['Threshold', textField(incident, 'threshold_value')],
      ['Project', firstText(incident, ['scoping_project_id'])],
      ['Severity', textField(incident, 'severity')],
    ]),
    linkLine(
      ...objectsField(documentation, 'links')
        .slice(0, 10)
        .map((link) => markdownLink(linkLabel(link), httpUrlOrNull(textField(link, 'url')))),
    ),
  );
}

function linkLabel(link: JsonObject): string {
  return (
    plainText(firstText(link, ['displayName', 'display_name']))
      ?.replace(/\s+/g, ' ')
      .slice(0, 100) ?? 'Link'
  );
}

/** An object with a type, or only a text in older calls. */
function documentationText(incident: JsonObject): string | null {
  const documentation = field(incident, 'documentation');
  if (!isObject(documentation)) return plainText(textField(incident, 'documentation'));
  const content = textField(documentation, 'content');
  const isMarkdown = textField(documentation, 'mime_type')?.toLowerCase() === 'text/markdown';
  return isMarkdown ? markdownText(content) : plainText(content);
}
