import { stored } from '../../language/contract.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type Headers,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { type IssueEvent, issueResult } from './issue-event.ts';
import { severityOfLabels } from './issue-labels.ts';
import { field, isObject, type JsonObject, objectField, objectsField, quoted, textField } from './payload.ts';
import { markdownText } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** GitHub: the event "Issues", as JSON or as a form. */
export const github: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readGithub,
  senderCallId: callIdHeader('x-github-delivery'),
  verify: (call) => hasHexSignature(call, signaturesIn(call.headers)),
  checkSecret: checkSharedSecret,
};

function signaturesIn(headers: Headers): string[] {
  const header = headers['x-hub-signature-256'] ?? '';
  return header.startsWith('sha256=') ? [header.slice('sha256='.length)] : [];
}

const EXPECTED = stored('a GitHub webhook about an issue');

/** The actions on an issue that change its moment. Others (pinned, locked, milestones) are ignored. */
const ACTIONS = new Map<string, 'open' | 'resolve'>([
  ['opened', 'open'],
  ['reopened', 'open'],
  ['labeled', 'open'],
  ['unlabeled', 'open'],
  ['typed', 'open'],
  ['untyped', 'open'],
  ['edited', 'open'],
  ['assigned', 'open'],
  ['unassigned', 'open'],
  ['closed', 'resolve'],
  ['deleted', 'resolve'],
  ['transferred', 'resolve'],
]);

/** Those that cannot make an issue pass a filter or a rule that it did not pass before. */
const EDITS = ['edited', 'assigned', 'unassigned', 'unlabeled', 'untyped'];

function readGithub(input: AdapterInput): AdapterResult {
  const parsed = readPayload(input.body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const body = parsed.object;
  const other = otherEvent(body, input.headers);
  if (other) return { ignored: other };
  const action = textField(body, 'action');
  const issue = objectField(body, 'issue');
  const key = issueKey(body);
  if (!action || !key) return unreadable(stored('the body has no "action" and "issue"'), EXPECTED);
  if (isObject(field(issue, 'pull_request')))
    return { ignored: stored('It is about a pull request, not about an issue.') };
  if (!ACTIONS.has(action))
    return {
      ignored: stored('The action {action} changes nothing that a moment shows.', { action: quoted(action) }),
    };
  return issueResult(issueEvent(key, action, body, input.receivedAt), filterable(issue), input);
}

/** Why a call is not about an issue; null if it is. The header names the event. Without it, the body decides. */
function otherEvent(body: JsonObject, headers: Headers): string | null {
  const event = headers['x-github-event'];
  const isPing =
    event === undefined && textField(body, 'zen') !== null && textField(body, 'hook_id') !== null;
  if (event === 'ping' || isPing)
    return stored('It is a test by {tool}: the webhook works.', { tool: 'GitHub' });
  if (event !== undefined && event !== 'issues')
    return `The event ${quoted(event)} is not about an issue; the webhook needs "Issues" alone.`;
  if (event !== undefined || !isGithubs(body)) return null;
  if (isObject(field(body, 'comment'))) return stored('It is about a comment, not about an issue.');
  if (!isObject(field(body, 'issue')))
    return stored('It is not about an issue; the webhook needs the event "Issues" alone.');
  return null;
}

/**
 * Whether a body without the header is GitHub's. Other products also send repositories and senders, but without these
 * fields. Events of organizations and apps have no repository, and security advisories have no sender.
 */
function isGithubs(body: JsonObject): boolean {
  const marks = [
    ['repository', 'full_name'],
    ['sender', 'login'],
    ['security_advisory', 'ghsa_id'],
  ] as const;
  return marks.some(([object, name]) => textField(objectField(body, object), name) !== null);
}

function issueEvent(key: string, action: string, body: JsonObject, receivedAt: Temporal.Instant): IssueEvent {
  const issue = objectField(body, 'issue');
  const createdAt = senderTime(field(issue, 'created_at'));
  const known = ACTIONS.get(action) ?? 'open';
  return {
    dedupKey: key,
    action: textField(issue, 'state') === 'closed' ? 'resolve' : known,
    edit: EDITS.includes(action),
    name: issueName(body),
    priority: severityOfLabels(labelsOf(issue))?.priority ?? 'medium',
    by: textField(objectField(body, 'sender'), 'login'),
    description: description(body),
    source: 'GitHub',
    sourceUrl: textField(issue, 'html_url'),
    occurredAt: createdAt ?? receivedAt,
    at: eventTime(action, issue) ?? receivedAt,
  };
}

/** The issue has no time of its deletion or transfer, so the time of receipt is used. */
function eventTime(action: string, issue: JsonObject): Temporal.Instant | null {
  if (action === 'deleted' || action === 'transferred') return null;
  return latest(...['created_at', 'updated_at', 'closed_at'].map((name) => senderTime(field(issue, name))));
}

function issueKey(body: JsonObject): string | null {
  const issue = objectField(body, 'issue');
  const [repository, number] = [textField(objectField(body, 'repository'), 'id'), textField(issue, 'number')];
  return repository && number ? `${repository}#${number}` : textField(issue, 'id');
}

function issueName(body: JsonObject): string {
  const issue = objectField(body, 'issue');
  const number = textField(issue, 'number');
  const place = `${textField(objectField(body, 'repository'), 'name') ?? ''}${number ? `#${number}` : ''}`;
  return [place, textField(issue, 'title')].filter(Boolean).join(' ') || 'GitHub issue';
}

function filterable(issue: JsonObject) {
  const labels = labelsOf(issue);
  return { labels, type: typeOf(issue), priority: severityOfLabels(labels)?.word ?? null };
}

function typeOf(issue: JsonObject): string | null {
  return textField(objectField(issue, 'type'), 'name');
}

function labelsOf(issue: JsonObject): string[] {
  return objectsField(issue, 'labels').flatMap((label) => textField(label, 'name') ?? []);
}

function description(body: JsonObject): string | null {
  const issue = objectField(body, 'issue');
  return paragraphs(
    markdownText(textField(issue, 'body')),
    factLines([
      ['Repository', textField(objectField(body, 'repository'), 'full_name')],
      ['Type', typeOf(issue)],
      ['Labels', nameList(labelsOf(issue))],
      ['Assigned to', nameList(objectsField(issue, 'assignees').map((one) => textField(one, 'login')))],
      ['Opened by', textField(objectField(issue, 'user'), 'login')],
    ]),
  );
}
