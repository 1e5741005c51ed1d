import { stored } from '../../language/contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, nameList, paragraphs } from './facts.ts';
import { type LooseFields, looseFields } from './loose-fields.ts';
import { quoted } from './payload.ts';
import { plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored("a New Relic workflow's notification with its default payload");

/** New Relic's workflows, with their default payload or one based on it, and older notification channels. */
export const newrelic: Adapter = { bodyLimit: USUAL_BODY_LIMIT, read: readNewrelic };

function readNewrelic({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const fields = looseFields(parsed.object, ['incident', 'issue', 'details']);
  const name = titleOf(fields);
  const state = fields.text('state', 'current_state', 'status', 'event_state');
  if (!name || !state) return unreadable(bodyLacks(name ? 'state' : 'title'), EXPECTED);
  if (looseFields(parsed.object).value(...OWN_FIELDS) === null)
    return unreadable(stored('the body has neither an "id" nor an "issueUrl"'), EXPECTED);
  const action = actionOf(state, fields);
  if (!action)
    return {
      ignored: stored('The state {state} neither begins nor ends an issue.', { state: quoted(state) }),
    };
  return { events: [issueEvent(fields, name, action, receivedAt)] };
}

/** Other products wrap their issue or incident in an object. New Relic's fields are in the body itself. */
const OWN_FIELDS = [
  ...['id', 'issue_id', 'incident_id', 'issue_url', 'issue_page_url', 'incident_url', 'account_id'],
  ...['workflow_name', 'alert_policy_names', 'alert_condition_names', 'policy_name', 'condition_name'],
];

function titleOf(fields: LooseFields): string | null {
  return (
    fields.text('title', 'issue_title') ??
    fields.list('title')[0] ??
    fields.text('details', 'condition_name') ??
    fields.list('alert_condition_names')[0] ??
    null
  );
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['created', 'open'],
  ['activated', 'open'],
  ['open', 'open'],
  ['acknowledged', 'acknowledge'],
  ['closed', 'resolve'],
  ['deactivated', 'resolve'],
  ['resolved', 'resolve'],
]);

/** An issue stays ACTIVATED when it is acknowledged. Only the time of acknowledgement shows it, if the payload has one. */
function actionOf(state: string, fields: LooseFields): MomentEvent['action'] | null {
  const action = ACTIONS.get(state.trim().toLowerCase()) ?? null;
  return action === 'open' && acknowledgedAt(fields) ? 'acknowledge' : action;
}

function acknowledgedAt(fields: LooseFields): Temporal.Instant | null {
  return senderTime(fields.value('acknowledged_at', 'issue_acknowledged_at', 'acked_at'));
}

function issueEvent(
  fields: LooseFields,
  name: string,
  action: MomentEvent['action'],
  receivedAt: Temporal.Instant,
): MomentEvent {
  const severity = fields.text('priority', 'severity');
  const created = senderTime(fields.value('created_at', 'opened_at', 'activated_at', 'timestamp'));
  const updated = senderTime(fields.value('updated_at', 'timestamp'));
  const closed = action === 'resolve' ? senderTime(fields.value('closed_at', 'issue_closed_at')) : null;
  return momentEvent(
    {
      dedupKey: fields.text('id', 'issue_id', 'incident_id') ?? `title ${name}`,
      action,
      name,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'medium',
      severity,
      labels: [...fields.list('alert_policy_names'), ...fields.list('tags', 'labels')],
      by: personOf(fields, action),
      description: description(fields),
      source: 'New Relic',
      sourceUrl: fields.text('issue_url', 'issue_page_url', 'incident_url', 'url'),
      occurredAt: created ?? receivedAt,
      at: closed ?? updated ?? created ?? receivedAt,
    },
    receivedAt,
  );
}

function personOf(fields: LooseFields, action: MomentEvent['action']): string | null {
  if (action === 'acknowledge') return fields.text('acknowledged_by', 'acked_by', 'owner');
  return action === 'resolve' ? fields.text('closed_by', 'resolved_by') : null;
}

function description(fields: LooseFields): string | null {
  const names = (...of: string[]) => nameList(fields.list(...of)) ?? fields.text(...of);
  return paragraphs(
    plainText(fields.text('description', 'condition_description', 'details')),
    factLines([
      ['Affected', names('impacted_entities', 'entities')],
      ['Condition', names('alert_condition_names', 'condition_name')],
      ['Policy', names('alert_policy_names', 'policy_name')],
      ['Workflow', fields.text('workflow_name')],
      ['Incidents', fields.text('total_incidents')],
      ['Runbook', names('runbook_url', 'runbook_urls')],
    ]),
  );
}
