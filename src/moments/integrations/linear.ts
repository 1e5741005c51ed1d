import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import type { MomentEvent } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type SignedCall,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { issueResult } from './issue-event.ts';
import { severityOfLabels } from './issue-labels.ts';
import {
  field,
  firstText,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  textField,
} from './payload.ts';
import { markdownText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Linear: webhooks about changes of issues. */
export const linear: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readLinear,
  senderCallId: callIdHeader('linear-delivery'),
  verify: isSigned,
  checkSecret: checkSharedSecret,
};

/** Linear repeats a call with a new time, so anything older than this is a replay. */
const TOLERANCE_MS = 60_000;

/** The time comes from the signed body. Only without one does it come from the header, which anyone could change. */
function isSigned(call: SignedCall): boolean {
  const { headers, body, now } = call;
  if (!hasHexSignature(call, [headers['linear-signature'] ?? ''])) return false;
  const parsed = readPayload(body);
  const sent = 'object' in parsed ? textField(parsed.object, 'webhookTimestamp') : null;
  const sentAt = senderTime(sent ?? headers['linear-timestamp']);
  return sentAt !== null && Math.abs(now.epochMilliseconds - sentAt.epochMilliseconds) <= TOLERANCE_MS;
}

const EXPECTED = stored('a Linear webhook about an issue');

function readLinear(input: AdapterInput): AdapterResult {
  const parsed = readPayload(input.body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const body = parsed.object;
  const [type, action] = [textField(body, 'type'), textField(body, 'action')];
  if (!type || !action) return unreadable(stored('the body has no "type" and "action"'), EXPECTED);
  if (type !== 'Issue')
    return { ignored: stored('It is about {type}, not about an issue.', { type: quoted(type) }) };
  const data = objectField(body, 'data');
  const id = textField(data, 'id');
  if (id === null) return unreadable(stored('the "data" has no "id"'), EXPECTED);
  const at = senderTime(field(body, 'createdAt')) ?? input.receivedAt;
  const issueName = [identifierOf(data), textField(data, 'title')].filter(Boolean).join(' ');
  return issueResult(
    {
      dedupKey: id,
      action: actionOf(action, body),
      edit: action === 'update' && isEdit(objectField(body, 'updatedFrom')),
      name: issueName || `Linear issue ${id}`,
      priority: priorityOf(data),
      by: textField(objectField(body, 'actor'), 'name'),
      description: description(data),
      source: 'Linear',
      sourceUrl: textField(body, 'url') ?? textField(data, 'url'),
      occurredAt: senderTime(field(data, 'createdAt')) ?? at,
      at,
    },
    { labels: labelsOf(data), type: null, priority: priorityName(data) },
    input,
  );
}

/** `INF-342`; older bodies have only its parts. */
function identifierOf(data: JsonObject): string | null {
  const [team, number] = [textField(objectField(data, 'team'), 'key'), textField(data, 'number')];
  return textField(data, 'identifier') ?? (team && number ? `${team}-${number}` : null);
}

const ENDED = ['completed', 'canceled', 'cancelled', 'duplicate'];

/** Names of states are each team's own; their types are not. */
function actionOf(action: string, body: JsonObject): MomentEvent['action'] {
  const data = objectField(body, 'data');
  const state = textField(objectField(data, 'state'), 'type') ?? '';
  if (action === 'remove' || field(data, 'trashed') === true || ENDED.includes(state)) return 'resolve';
  const moved = field(objectField(body, 'updatedFrom'), 'stateId') !== undefined;
  if (action !== 'update' || !moved) return 'open';
  return state === 'started' ? 'acknowledge' : 'unacknowledge';
}

/** The changes that decide about a filter, a rule or the state. */
const DECIDING = ['labelIds', 'priority', 'priorityLabel', 'stateId', 'teamId', 'trashed', 'archivedAt'];

function isEdit(before: JsonObject): boolean {
  const changed = Object.keys(before).filter((name) => name !== 'updatedAt');
  return changed.length > 0 && !changed.some((name) => DECIDING.includes(name));
}

/** From 1 for urgent to 4 for low; 0 is none. */
const PRIORITIES: Record<string, Priority> = { 0: 'medium', 1: 'high', 2: 'high', 3: 'medium', 4: 'low' };
const PRIORITY_NAMES: Record<string, string> = { 1: 'Urgent', 2: 'High', 3: 'Medium', 4: 'Low' };

/** A label decides if nobody set a priority. */
function priorityOf(data: JsonObject): Priority {
  const given = textField(data, 'priority');
  const labelled = given === null || given === '0' ? severityOfLabels(labelsOf(data))?.priority : null;
  return labelled ?? PRIORITIES[given ?? ''] ?? 'medium';
}

function priorityName(data: JsonObject): string | null {
  return textField(data, 'priorityLabel') ?? PRIORITY_NAMES[textField(data, 'priority') ?? ''] ?? null;
}

function labelsOf(data: JsonObject): string[] {
  return objectsField(data, 'labels').flatMap((label) => textField(label, 'name') ?? []);
}

function description(data: JsonObject): string | null {
  return paragraphs(
    markdownText(textField(data, 'description')),
    factLines([
      ['State', textField(objectField(data, 'state'), 'name')],
      ['Priority', priorityName(data)],
      ['Labels', nameList(labelsOf(data))],
      ['Assigned to', textField(objectField(data, 'assignee'), 'name')],
      ['Team', firstText(objectField(data, 'team'), ['name', 'key'])],
      ['Project', textField(objectField(data, 'project'), 'name')],
    ]),
  );
}
