import { stored } from '../../language/contract.ts';
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
import { type IssueEvent, issueResult } from './issue-event.ts';
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
import { latest, senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkSharedSecret, isSame } from './shared-secret.ts';
import { checkStandardSecret, hasStandardSignature } from './standard-signature.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** GitLab: issue events, and since version 17 work item events; incidents are either. */
export const gitlab: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readGitlab,
  senderCallId: callIdHeader('webhook-id', 'idempotency-key'),
  verify: isAuthentic,
  checkSecret: (secret) => (isSigningToken(secret) ? checkStandardSecret(secret) : checkSharedSecret(secret)),
};

/** A secret token is sent in a header. A signing token, in newer versions, signs the body. */
function isAuthentic(call: SignedCall): boolean {
  const token = call.headers['x-gitlab-token'];
  if (isSigningToken(call.secret)) return hasStandardSignature(call);
  return token !== undefined && isSame(token, call.secret);
}

function isSigningToken(secret: string): boolean {
  return secret.startsWith('whsec_');
}

const EXPECTED = stored('a GitLab webhook about an issue');

function readGitlab(input: AdapterInput): AdapterResult {
  const parsed = readPayload(input.body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const body = parsed.object;
  const kind = textField(body, 'object_kind') ?? otherHook(body);
  if (!kind) return unreadable(bodyLacks('object_kind'), EXPECTED);
  if (kind !== 'issue' && kind !== 'work_item')
    return {
      ignored: stored('It is about {kind}; the webhook needs the trigger "Issues events" alone.', {
        kind: quoted(kind),
      }),
    };
  const key = issueKey(body);
  if (!key) return unreadable(stored('the "object_attributes" have neither "iid" nor "id"'), EXPECTED);
  const attributes = objectField(body, 'object_attributes');
  const labels = labelsOf(body);
  const severity = severityOf(attributes) ?? severityOfLabels(labels)?.word ?? null;
  return issueResult(
    issueEvent(key, body, severity, input.receivedAt),
    { labels, type: textField(attributes, 'type'), priority: severity },
    input,
  );
}

/**
 * Hooks about members, subgroups and projects, and those of the whole instance, name their event instead of a kind of
 * object: `user_add_to_group`, `tag_push`.
 */
function otherHook(body: JsonObject): string | null {
  const event = textField(body, 'event_name');
  return event && /^[a-z]+(?:_[a-z]+)*$/.test(event.slice(0, 100)) ? event : null;
}

function issueEvent(
  key: string,
  body: JsonObject,
  severity: string | null,
  receivedAt: Temporal.Instant,
): IssueEvent {
  const attributes = objectField(body, 'object_attributes');
  const time = (name: string) => senderTime(field(attributes, name));
  return {
    dedupKey: key,
    action: actionOf(body),
    edit: isEdit(body),
    name: issueName(body),
    priority: priorityOfSeverity(severity) ?? 'medium',
    by: personOf(takenBy(body)[0] ?? objectField(body, 'user')),
    description: description(body, severity),
    source: 'GitLab',
    sourceUrl: textField(attributes, 'url'),
    occurredAt: time('created_at') ?? receivedAt,
    at: latest(time('created_at'), time('updated_at'), time('closed_at')) ?? receivedAt,
  };
}

/** An incident has a status besides the issue's state. Assigning an issue counts as an acknowledgement. */
function actionOf(body: JsonObject): MomentEvent['action'] {
  const attributes = objectField(body, 'object_attributes');
  const [state, status] = [textField(attributes, 'state'), textField(attributes, 'escalation_status')];
  const action = textField(attributes, 'action');
  if (action === 'close' || state === 'closed' || status === 'resolved') return 'resolve';
  const changes = objectField(body, 'changes');
  if (action !== 'update') return 'open';
  const statusChanged = field(changes, 'escalation_status') !== undefined;
  const assignees = objectField(changes, 'assignees');
  if (takenBy(body).length > 0 || (statusChanged && status === 'acknowledged')) return 'acknowledge';
  const leftAlone = objectsField(assignees, 'previous').length > 0;
  return leftAlone || (statusChanged && status === 'triggered') ? 'unacknowledge' : 'open';
}

/** The changes that decide about a filter, a rule or the state. */
const DECIDING = ['labels', 'severity', 'type', 'issue_type', 'state_id', 'escalation_status', 'closed_at'];

function isEdit(body: JsonObject): boolean {
  if (textField(objectField(body, 'object_attributes'), 'action') !== 'update') return false;
  const changed = Object.keys(objectField(body, 'changes'));
  return changed.length > 0 && !changed.some((name) => DECIDING.includes(name));
}

/** The people who were assigned by this change. */
function takenBy(body: JsonObject): JsonObject[] {
  return objectsField(objectField(objectField(body, 'changes'), 'assignees'), 'current');
}

function personOf(user: JsonObject): string | null {
  return firstText(user, ['name', 'username']);
}

function issueKey(body: JsonObject): string | null {
  const attributes = objectField(body, 'object_attributes');
  const project = textField(objectField(body, 'project'), 'id') ?? textField(attributes, 'project_id');
  const number = textField(attributes, 'iid');
  return project && number ? `${project}#${number}` : textField(attributes, 'id');
}

function issueName(body: JsonObject): string {
  const attributes = objectField(body, 'object_attributes');
  const project = objectField(body, 'project');
  const path = textField(project, 'path_with_namespace')?.split('/').at(-1) ?? textField(project, 'name');
  const number = textField(attributes, 'iid');
  const place = `${path ?? ''}${number ? `#${number}` : ''}`;
  return [place, textField(attributes, 'title')].filter(Boolean).join(' ') || 'GitLab issue';
}

/** Only incidents have a severity; everything else has `unknown`. */
function severityOf(attributes: JsonObject): string | null {
  const severity = textField(attributes, 'severity');
  return severity === null || severity.toLowerCase() === 'unknown' ? null : severity;
}

function labelsOf(body: JsonObject): string[] {
  const own = objectsField(body, 'labels');
  const labels = own.length > 0 ? own : objectsField(objectField(body, 'object_attributes'), 'labels');
  return labels.flatMap((label) => firstText(label, ['title', 'name']) ?? []);
}

function description(body: JsonObject, severity: string | null): string | null {
  const attributes = objectField(body, 'object_attributes');
  return paragraphs(
    markdownText(textField(attributes, 'description')),
    factLines([
      ['Project', textField(objectField(body, 'project'), 'path_with_namespace')],
      ['Type', textField(attributes, 'type')],
      ['Severity', severity],
      ['Labels', nameList(labelsOf(body))],
      ['Assigned to', nameList(objectsField(body, 'assignees').map(personOf))],
    ]),
  );
}
