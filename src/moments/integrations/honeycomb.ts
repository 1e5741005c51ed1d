import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { codeSpan, markdownLink } from '../markdown.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type SignedCall,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { callIdHeader } from './call-id-header.ts';
import { factLines, paragraphs } from './facts.ts';
import { filledText } from './loose-fields.ts';
import {
  field,
  firstText,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  readJsonObject,
  textField,
} from './payload.ts';
import { linkLine, plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';
import { checkSharedSecret, isSame } from './shared-secret.ts';
import { bodyLacks, unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored("a Honeycomb trigger's notification with its default payload");
const MOST_GROUPS = 20;

/** Honeycomb's webhooks for triggers and burn alerts. */
export const honeycomb: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readHoneycomb,
  senderCallId: callIdHeader('x-honeycomb-webhook-delivery-id'),
  verify: showsSecret,
  checkSecret: checkSharedSecret,
};

/** Honeycomb does not sign. It sends the secret in a header, or in older versions in the body. */
function showsSecret({ headers, body, secret }: SignedCall): boolean {
  const inHeader = headers['x-honeycomb-webhook-token'];
  if (inHeader !== undefined) return isSame(inHeader, secret);
  const parsed = readJsonObject(body);
  const inBody = 'object' in parsed ? textField(parsed.object, 'shared_secret') : null;
  return inBody !== null && isSame(inBody, secret);
}

function readHoneycomb({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const { object } = parsed;
  if (field(object, 'is_test') === true)
    return { ignored: stored('It is a test by {tool}: the webhook works.', { tool: 'Honeycomb' }) };
  const name = firstText(object, ['name', 'summary'])?.replace(/^(?:Triggered|Resolved):\s*(?=\S)/i, '');
  const status = textField(object, 'status');
  if (!name || !status) return unreadable(bodyLacks(name ? 'status' : 'name'), EXPECTED);
  const action = ACTIONS.get(status.trim().toLowerCase());
  if (!action)
    return unreadable(
      stored('the status is {status}', { status: quoted(status) }),
      stored('"TRIGGERED" or "OK"'),
    );
  if (!OWN_FIELDS.some((own) => field(object, own) !== undefined))
    return unreadable(stored("the body has a name and a status, but nothing else of Honeycomb's"), EXPECTED);
  return { events: [alertEvent(object, name, action, receivedAt)] };
}

/** Many tools send a name and a status. Every notification from Honeycomb has at least one of these fields too. */
const OWN_FIELDS = [
  ...[
    'version',
    'trigger_url',
    'trigger_id',
    'trigger_description',
    'burn_alert_id',
    'slo_url',
    'alert_type',
  ],
  ...['result_url', 'result_groups', 'result_groups_triggered', 'operator', 'threshold', 'summary'],
];

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['triggered', 'open'],
  ['alert', 'open'],
  ['ok', 'resolve'],
  ['resolved', 'resolve'],
]);

function alertEvent(
  body: JsonObject,
  name: string,
  action: MomentEvent['action'],
  receivedAt: Temporal.Instant,
): MomentEvent {
  const severity = filledText(firstText(body, ['severity', 'pagerduty_severity', 'priority']));
  const at = senderTime(field(body, 'timestamp')) ?? receivedAt;
  const urls = [textField(body, 'result_url'), textField(body, 'trigger_url'), textField(body, 'slo_url')];
  return momentEvent(
    {
      dedupKey: firstText(body, ['id', 'trigger_id', 'burn_alert_id']) ?? `name ${name}`,
      action,
      name,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'high',
      severity,
      labels: [textField(body, 'dataset'), textField(body, 'environment')].filter((label) => label !== null),
      description: description(body),
      source: 'Honeycomb',
      sourceUrl: urls.map(httpUrlOrNull).find((url) => url !== null) ?? null,
      occurredAt: at,
      at,
    },
    receivedAt,
  );
}

function description(body: JsonObject): string | null {
  const link = (label: string, name: string) => markdownLink(label, httpUrlOrNull(textField(body, name)));
  const operator = textField(body, 'operator');
  const threshold = textField(body, 'threshold');
  return paragraphs(
    plainText(textField(body, 'description')),
    plainText(textField(body, 'trigger_description')),
    groupList(objectsField(body, 'result_groups_triggered')),
    factLines([
      ['Threshold', operator && threshold && `${operator} ${threshold}`],
      ['Dataset', textField(body, 'dataset')],
      ['Environment', textField(body, 'environment')],
      ['Kind', textField(body, 'alert_type')],
    ]),
    linkLine(link('Result', 'result_url'), link('Trigger', 'trigger_url'), link('SLO', 'slo_url')),
  );
}

/** The groups that crossed the threshold, each with its value. */
function groupList(groups: readonly JsonObject[]): string | null {
  const lines = groups.slice(0, MOST_GROUPS).map((row) => {
    const group = objectField(row, 'Group');
    const labels = Object.keys(group)
      .slice(0, 10)
      .map((name) => codeSpan(`${name}=${textField(group, name) ?? '?'}`.slice(0, 200)));
    return `- ${labels.join(' ')} ${codeSpan(textField(row, 'Result')?.slice(0, 100) ?? '?')}`;
  });
  if (groups.length > MOST_GROUPS) lines.push(`- and ${groups.length - MOST_GROUPS} more`);
  return lines.join('\n') || null;
}
