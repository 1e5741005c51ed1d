import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent } from '../event.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, firstText, type JsonObject, objectField, quoted, textField } from './payload.ts';
import { plainText } from './sender-text.ts';
import { latest, senderTime } from './sender-time.ts';
import { unrecordable } from './unread.ts';

/** The content of a call from Sentry, in any of its forms. */
export type SentryEvent = {
  /** An issue alert has no end of its own. It ends with its issue, so it has the issue's key. */
  key: string | null;
  action: MomentEvent['action'];
  name: string;
  level: string | null;
  description: string | null;
  url: string | null;
  began: Temporal.Instant | null;
  /** When this happened, if the body contains it. */
  changedAt: Temporal.Instant | null;
};

type Unread = { error: string } | { ignored: string };

const issueKey = (id: string | null) => id && `issue ${id}`;

/** A metric alert: opened as `critical` or `warning`, and ended. */
export function metricAlert(body: JsonObject): SentryEvent | Unread {
  const data = objectField(body, 'data');
  const alert = objectField(data, 'metric_alert');
  const [id, action] = [textField(alert, 'id'), textField(body, 'action')];
  if (!id || !action) return unrecordable(stored('the metric alert has no "id" or the body no "action"'));
  const rule = objectField(alert, 'alert_rule');
  const title =
    firstText(data, ['description_title']) ?? textField(alert, 'title') ?? textField(rule, 'name');
  const [detected, closed] = ['date_detected', 'date_closed'].map((name) => senderTime(field(alert, name)));
  const resolved = action === 'resolved';
  return {
    key: `metric ${id}`,
    action: resolved ? 'resolve' : 'open',
    name: title?.replace(/^(?:resolved|critical|warning):\s*/i, '') || 'Sentry metric alert',
    level: resolved ? null : action,
    description: paragraphs(
      plainText(textField(data, 'description_text')?.replaceAll('\\n', '\n') ?? null),
      factLines([
        ['Rule', textField(rule, 'name')],
        ['Aggregate', textField(rule, 'aggregate')],
        ['Query', textField(rule, 'query')],
        ['Environment', textField(rule, 'environment')],
      ]),
    ),
    url: textField(data, 'web_url'),
    began: senderTime(field(alert, 'date_started')) ?? detected ?? null,
    changedAt: detected ? latest(detected, resolved ? (closed ?? null) : null) : null,
  };
}

/** An issue alert: an event of an issue matched an alert rule. */
export function issueAlert(body: JsonObject): SentryEvent | Unread {
  const data = objectField(body, 'data');
  const event = objectField(data, 'event');
  const name = titleOf(event);
  if (!name) return unrecordable(stored('the event has neither a "title" nor a "message"'));
  const when = senderTime(field(event, 'datetime')) ?? senderTime(field(event, 'timestamp'));
  return {
    key: issueKey(issueIdOf(event, data)),
    action: 'open',
    name,
    level: textField(event, 'level'),
    description: eventDescription(event, textField(data, 'triggered_rule')),
    url: httpUrlOrNull(textField(event, 'web_url')) ?? httpUrlOrNull(textField(event, 'url')),
    began: when,
    changedAt: when,
  };
}

function issueIdOf(event: JsonObject, data: JsonObject): string | null {
  const inUrl = /\/issues\/(\d{1,20})\/?$/.exec(textField(event, 'issue_url')?.slice(-200) ?? '')?.[1];
  return (
    firstText(event, ['issue_id', 'group_id', 'groupID']) ??
    inUrl ??
    textField(objectField(data, 'issue'), 'id')
  );
}

const CHANGES = new Map<string, MomentEvent['action']>([
  ['created', 'open'],
  ['unresolved', 'open'],
  ['triggered', 'open'],
  ['assigned', 'acknowledge'],
  ['resolved', 'resolve'],
  ['archived', 'resolve'],
  ['ignored', 'resolve'],
]);

/** A change of an issue itself. */
export function issueChange(body: JsonObject): SentryEvent | Unread {
  const issue = objectField(objectField(body, 'data'), 'issue');
  const [id, word] = [textField(issue, 'id'), textField(body, 'action')];
  if (!id || !word) return unrecordable(stored('the issue has no "id" or the body no "action"'));
  const action = CHANGES.get(word);
  if (!action)
    return {
      ignored: stored('The action {action} changes nothing that a moment shows.', { action: quoted(word) }),
    };
  // Sentry assigns issues by its ownership rules as soon as they appear, before anybody has seen them.
  if (action === 'acknowledge' && textField(objectField(body, 'actor'), 'type') === 'application')
    return { ignored: stored('It was assigned by a rule or a program, so nobody has acknowledged it.') };
  // An issue that returned began long ago. The new problem begins now.
  const created = word === 'created' ? senderTime(field(issue, 'firstSeen')) : null;
  return {
    key: issueKey(id),
    action,
    name: titleOf(issue) ?? textField(issue, 'shortId') ?? `Sentry issue ${id}`,
    level: textField(issue, 'level'),
    description: factLines([
      ['Culprit', textField(issue, 'culprit')],
      ['Level', textField(issue, 'level')],
      ['Project', firstText(objectField(issue, 'project'), ['name', 'slug'])],
      ['Issue', textField(issue, 'shortId')],
      ['Status', firstText(issue, ['substatus', 'status'])],
      ['Assigned to', textField(objectField(issue, 'assignedTo'), 'name')],
      ['Events', textField(issue, 'count')],
      ['Users', textField(issue, 'userCount')],
    ]),
    url: httpUrlOrNull(textField(issue, 'web_url')) ?? httpUrlOrNull(textField(issue, 'permalink')),
    began: created,
    changedAt: created,
  };
}

/** The older plug-in of a project: an issue alert in a different form, unsigned. */
export function pluginAlert(body: JsonObject): SentryEvent | Unread {
  const event = objectField(body, 'event');
  const name = titleOf(event) ?? firstText(body, ['message', 'culprit']);
  if (!name) return unrecordable(stored('the body has neither a "message" nor an "event" with a "title"'));
  const when = senderTime(field(event, 'datetime')) ?? senderTime(field(event, 'timestamp'));
  return {
    key: issueKey(textField(body, 'id')),
    action: 'open',
    name,
    level: textField(body, 'level') ?? textField(event, 'level'),
    description: paragraphs(
      eventDescription({ ...event, culprit: field(body, 'culprit') }, null),
      factLines([['Project', firstText(body, ['project_name', 'project'])]]),
    ),
    url: textField(body, 'url'),
    began: when,
    changedAt: when,
  };
}

function titleOf(thing: JsonObject): string | null {
  return (
    textField(thing, 'title') ??
    firstText(objectField(thing, 'metadata'), ['title', 'value']) ??
    textField(thing, 'message')
  );
}

function eventDescription(event: JsonObject, rule: string | null): string | null {
  const message = textField(event, 'message');
  return paragraphs(
    message === titleOf(event) ? null : plainText(message),
    factLines([
      ['Rule', rule],
      ['Culprit', textField(event, 'culprit')],
      ['Level', textField(event, 'level')],
      ['Environment', firstText(event, ['environment']) ?? tag(event, 'environment')],
      ['Release', textField(event, 'release') ?? tag(event, 'release')],
      ['Platform', textField(event, 'platform')],
    ]),
  );
}

/** Tags are a list of pairs. */
function tag(event: JsonObject, name: string): string | null {
  const tags = field(event, 'tags');
  const found = Array.isArray(tags)
    ? tags.find((pair) => Array.isArray(pair) && pair[0] === name)
    : undefined;
  return Array.isArray(found) && typeof found[1] === 'string' ? found[1] : null;
}
