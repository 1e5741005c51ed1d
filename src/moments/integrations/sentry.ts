import { stored } from '../../language/contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type Headers,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { field, firstText, isObject, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { senderTime } from './sender-time.ts';
import { issueAlert, issueChange, metricAlert, pluginAlert, type SentryEvent } from './sentry-events.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Sentry: webhooks of an internal integration, and those of the older plug-in for a project. */
export const sentry: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readSentry,
  senderCallId: callIdHeader('request-id'),
  verify: (call) => hasHexSignature(call, [call.headers['sentry-hook-signature'] ?? '']),
  checkSecret: checkSharedSecret,
};

const EXPECTED = stored('a Sentry webhook about an alert or an issue');

function readSentry({ body, headers, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const resource = headers['sentry-hook-resource'] ?? guessedResource(parsed.object);
  if (resource === null) return unreadable(stored('the body has neither an alert nor an issue'), EXPECTED);
  const read = READERS.get(resource);
  if (!read)
    return {
      ignored: stored('It is about {resource}; alerts and issues make moments.', {
        resource: quoted(resource),
      }),
    };
  const event = read(parsed.object);
  if ('error' in event || 'ignored' in event) return event;
  return { events: [sentryMoment({ ...event, by: personOf(parsed.object) }, headers, receivedAt)] };
}

const READERS = new Map<string, (body: JsonObject) => SentryEvent | { error: string } | { ignored: string }>([
  ['metric_alert', metricAlert],
  ['event_alert', issueAlert],
  ['activity_alert', issueChange],
  ['issue', issueChange],
  ['plugin', pluginAlert],
]);

/** The header names the resource. Without it, the body decides. */
function guessedResource(body: JsonObject): string | null {
  const data = objectField(body, 'data');
  if (isObject(field(data, 'metric_alert'))) return 'metric_alert';
  if (isObject(field(data, 'event'))) return 'event_alert';
  if (isObject(field(data, 'issue'))) return 'issue';
  for (const other of ['error', 'installation', 'comment', 'comment_id'])
    if (field(data, other) !== undefined) return other;
  // Sentry adds resources, such as `seer`. Every call of an integration names the installation and the action.
  if (textField(objectField(body, 'installation'), 'uuid')) return textField(body, 'action');
  return firstText(body, ['project', 'project_name']) && textField(body, 'id') ? 'plugin' : null;
}

/**
 * The person to whom an issue was assigned, otherwise the person who acted. Sentry itself and integrations act, too.
 */
function personOf(body: JsonObject): string | null {
  const assignedTo = objectField(objectField(objectField(body, 'data'), 'issue'), 'assignedTo');
  const person = textField(body, 'action') === 'assigned' ? assignedTo : objectField(body, 'actor');
  return textField(person, 'type') === 'user' ? textField(person, 'name') : null;
}

/** Sentry's header has the time of the call. Most bodies do not contain the time of the event. */
function sentryMoment(
  event: SentryEvent & { by: string | null },
  headers: Headers,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const at = senderTime(headers['sentry-hook-timestamp']) ?? event.changedAt ?? receivedAt;
  const { key, action, name, level, description, url, began, by } = event;
  return momentEvent(
    {
      ...{ dedupKey: key, action, name, description, by },
      type: 'alert',
      priority: priorityOfSeverity(level) ?? 'medium',
      severity: level,
      source: 'Sentry',
      sourceUrl: url,
      occurredAt: began ?? at,
      at,
    },
    receivedAt,
  );
}
