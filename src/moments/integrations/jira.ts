import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import type { MomentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { issueResult } from './issue-event.ts';
import {
  field,
  firstText,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  textField,
} from './payload.ts';
import { plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Jira Cloud and Data Center: webhooks about issues, and issues that an automation rule sends. */
export const jira: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readJira,
  senderCallId: callIdHeader('x-atlassian-webhook-identifier'),
  verify: (call) => hasHexSignature(call, signaturesIn(call.headers['x-hub-signature'])),
  checkSecret: checkSharedSecret,
};

function signaturesIn(header: string | undefined): string[] {
  const signature = /^sha256=(.*)$/i.exec(header?.trim() ?? '')?.[1];
  return signature === undefined ? [] : [signature];
}

const EXPECTED = stored('a Jira webhook about an issue');

function readJira(input: AdapterInput): AdapterResult {
  const parsed = readPayload(input.body);
  if ('problem' in parsed)
    return {
      error: stored(
        'the body {problem}; {expected} is expected. The webhook must not be set to exclude its body.',
        { problem: parsed.problem, expected: EXPECTED },
      ),
    };
  const body = parsed.object;
  const kind = textField(body, 'webhookEvent');
  if (kind !== null && !kind.startsWith('jira:issue_'))
    return { ignored: stored('The event {kind} is not about the issue itself.', { kind: quoted(kind) }) };
  // The action "Send web request" of an automation rule sends the issue alone, without anything around it.
  const issue = kind === null && field(body, 'issue') === undefined ? body : objectField(body, 'issue');
  const id = firstText(issue, ['id', 'key']);
  const fields = objectField(issue, 'fields');
  if (id === null || Object.keys(fields).length === 0)
    return unreadable(stored('the body has no "issue" with an "id" and "fields"'), EXPECTED);
  const at = senderTime(field(body, 'timestamp')) ?? senderTime(field(fields, 'updated')) ?? input.receivedAt;
  return issueResult(
    {
      dedupKey: id,
      action: actionOf(kind, body, fields),
      edit: isEdit(kind, body),
      name: issueName(issue, id),
      priority: priorityOf(objectField(fields, 'priority')),
      by: firstText(objectField(body, 'user'), ['displayName', 'name']),
      description: description(fields),
      source: 'Jira',
      sourceUrl: issueUrl(issue),
      occurredAt: senderTime(field(fields, 'created')) ?? at,
      at,
    },
    {
      labels: textList(field(fields, 'labels')),
      type: named(fields, 'issuetype'),
      priority: named(fields, 'priority'),
    },
    input,
  );
}

/** Names of states can be customized, but their categories cannot. */
function actionOf(kind: string | null, body: JsonObject, fields: JsonObject): MomentEvent['action'] {
  const category = textField(objectField(objectField(fields, 'status'), 'statusCategory'), 'key');
  if (kind === 'jira:issue_deleted' || category === 'done') return 'resolve';
  if (category === null && named(fields, 'resolution') !== null) return 'resolve';
  const items = objectsField(objectField(body, 'changelog'), 'items');
  const moved = items.some((item) => textField(item, 'field') === 'status');
  if (!moved || kind === 'jira:issue_created') return 'open';
  return category === 'indeterminate' ? 'acknowledge' : category === 'new' ? 'unacknowledge' : 'open';
}

/** The fields of a change that decide about a filter, a rule or the state. */
const DECIDING = ['labels', 'issuetype', 'priority', 'status', 'resolution'];

/** A comment comes as a change without a changelog. */
function isEdit(kind: string | null, body: JsonObject): boolean {
  if (kind !== 'jira:issue_updated') return false;
  const changed = objectsField(objectField(body, 'changelog'), 'items').map((item) =>
    textField(item, 'field'),
  );
  if (changed.length === 0) return Object.keys(objectField(body, 'comment')).length > 0;
  return !changed.some((name) => name === null || DECIDING.includes(name));
}

function issueName(issue: JsonObject, id: string): string {
  const summary = textField(objectField(issue, 'fields'), 'summary');
  return [textField(issue, 'key') ?? id, summary].filter(Boolean).join(': ');
}

/** `self` is the issue's URL in the API. The web pages are next to the API, on some servers below a path. */
function issueUrl(issue: JsonObject): string | null {
  const [self, key] = [textField(issue, 'self'), textField(issue, 'key')];
  const end = self?.indexOf('/rest/') ?? -1;
  return self && key && end > 0
    ? `${self.slice(0, end)}/browse/${encodeURIComponent(key.toWellFormed())}`
    : null;
}

const PRIORITIES = new Map<string, Priority>([
  ['highest', 'high'],
  ['blocker', 'high'],
  ['urgent', 'high'],
  ['minor', 'low'],
  ['lowest', 'low'],
  ['trivial', 'low'],
]);
const BY_ID: Record<string, Priority> = { 1: 'high', 2: 'high', 3: 'medium', 4: 'low', 5: 'low' };

/** The priority by its name. A renamed priority keeps its number, where 1 is the highest. */
function priorityOf(priority: JsonObject): Priority {
  const name = textField(priority, 'name')?.trim().toLowerCase() ?? null;
  return (
    (name && PRIORITIES.get(name)) ||
    priorityOfSeverity(name) ||
    BY_ID[textField(priority, 'id') ?? ''] ||
    'medium'
  );
}

function description(fields: JsonObject): string | null {
  return paragraphs(
    plainText(textField(fields, 'description')),
    factLines([
      ['Type', named(fields, 'issuetype')],
      ['Priority', named(fields, 'priority')],
      ['Status', named(fields, 'status')],
      ['Labels', nameList(textList(field(fields, 'labels')))],
      ['Components', nameList(objectsField(fields, 'components').map((one) => textField(one, 'name')))],
      ['Assigned to', person(fields, 'assignee')],
      ['Reported by', person(fields, 'reporter')],
      ['Project', named(fields, 'project')],
    ]),
  );
}

function named(fields: JsonObject, name: string): string | null {
  return textField(objectField(fields, name), 'name');
}

function person(fields: JsonObject, name: string): string | null {
  return firstText(objectField(fields, name), ['displayName', 'name']);
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && /\S/.test(one)) : [];
}
