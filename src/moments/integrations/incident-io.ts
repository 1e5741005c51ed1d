import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type SignedCall,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, isObject, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { markdownText, plainText } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkStandardSecret, hasStandardSignature } from './standard-signature.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** incident.io: webhooks about public incidents. For private ones, it sends only the id. */
export const incidentIo: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readIncidentIo,
  senderCallId: callIdHeader('webhook-id', 'svix-id'),
  verify: isSigned,
  checkSecret: checkStandardSecret,
};

/** The service that sends for incident.io signs under either name. */
function isSigned(call: SignedCall): boolean {
  if (hasStandardSignature(call)) return true;
  const renamed = Object.entries(call.headers).flatMap(([name, value]) =>
    name.startsWith('svix-') ? [[name.replace('svix-', 'webhook-'), value]] : [],
  );
  return renamed.length > 0 && hasStandardSignature({ ...call, headers: Object.fromEntries(renamed) });
}

const EXPECTED = stored('an incident.io webhook about an incident');

/** `public_incident.incident_created_v2` and similar names. */
const EVENT_TYPE = /^[a-z_]{1,100}\.[a-z0-9_]{1,100}$/;

function readIncidentIo({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  // Some endpoints receive the event in the envelope of the service that sends for incident.io.
  const inner = objectField(parsed.object, 'data');
  const call = textField(inner, 'event_type') ? inner : parsed.object;
  const type = textField(call, 'event_type');
  if (!type) return unreadable(bodyLacks('event_type'), EXPECTED);
  if (!EVENT_TYPE.test(type))
    return unreadable(
      stored("the event {type} is not one of incident.io's", { type: quoted(type) }),
      EXPECTED,
    );
  if (type.startsWith('private_'))
    return {
      ignored: stored('It is about a private incident, and incident.io sends only an id for those.'),
    };
  if (!type.startsWith('public_incident.incident_'))
    return { ignored: stored('The event {type} changes nothing about an incident.', { type: quoted(type) }) };
  // The content is in a field with the name of the event.
  const content = objectField(call, type);
  const incident = isObject(field(content, 'incident')) ? objectField(content, 'incident') : content;
  const id = textField(incident, 'id');
  if (!id)
    return unreadable(
      stored('the field {field} has no incident with an "id"', { field: quoted(type) }),
      EXPECTED,
    );
  const mode = textField(incident, 'mode')?.toLowerCase() ?? '';
  if (REHEARSALS.includes(mode))
    return { ignored: stored('It is not a real incident: its mode is {mode}.', { mode: quoted(mode) }) };
  return { events: [incidentEvent(id, content, incident, receivedAt)] };
}

const REHEARSALS = ['test', 'tutorial', 'retrospective'];
/**
 * Statuses have custom names. In the category "learning", the incident has ended and people write down what they
 * learned.
 */
const ENDED = ['learning', 'closed', 'declined', 'merged', 'canceled', 'cancelled'];

function incidentEvent(
  id: string,
  content: JsonObject,
  incident: JsonObject,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const status = isObject(field(content, 'new_status'))
    ? objectField(content, 'new_status')
    : objectField(incident, 'incident_status');
  const createdAt = senderTime(field(incident, 'created_at'));
  const severity = textField(objectField(incident, 'severity'), 'name');
  const name = [textField(incident, 'reference'), textField(incident, 'name')].filter(Boolean).join(' ');
  return momentEvent(
    {
      dedupKey: id,
      action: ENDED.includes(textField(status, 'category')?.toLowerCase() ?? '') ? 'resolve' : 'open',
      name: name || `Incident ${id}`,
      type: 'incident',
      priority: priorityOf(severity),
      severity,
      description: paragraphs(
        markdownText(textField(incident, 'summary')),
        plainText(textField(content, 'message')),
        factLines([
          ['Status', textField(status, 'name')],
          ['Severity', severity],
          ['Type', textField(objectField(incident, 'incident_type'), 'name')],
        ]),
      ),
      source: 'incident.io',
      sourceUrl: textField(incident, 'permalink'),
      occurredAt: createdAt ?? receivedAt,
      at: latest(createdAt, senderTime(field(incident, 'updated_at'))) ?? receivedAt,
    },
    receivedAt,
  );
}

/**
 * Every organization names its own severities: `Critical`, `SEV1`, `SEV-2 (major)`. Their ranks mean nothing by
 * themselves.
 */
function priorityOf(severity: string | null): Priority {
  const level = /\b(?:sev(?:erity)?|p)[-_ ]?([1-5])\b/i.exec(severity?.slice(0, 100) ?? '')?.[1];
  return priorityOfSeverity(level ? `sev${level}` : severity) ?? 'medium';
}
