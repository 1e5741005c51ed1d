import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { markdownLink } from '../markdown.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { factLines, paragraphs } from './facts.ts';
import { type LooseFields, looseFields } from './loose-fields.ts';
import { field, type JsonObject, quoted } from './payload.ts';
import { codeBlock, linkLine } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/**
 * Nagios and the products with its notifications about hosts and services. They cannot send over HTTP themselves, so a
 * script from our documentation posts their macros as a form.
 */
export function hostCheckAdapter(source: string, readOther?: ReadOther): Adapter {
  const expected = stored('what the script from our page about {source} sends', { source });
  return {
    bodyLimit: USUAL_BODY_LIMIT,
    read({ body, receivedAt }: AdapterInput): AdapterResult {
      const parsed = readPayload(body);
      if ('problem' in parsed) return unreadableBody(parsed.problem, expected);
      const other = readOther?.(parsed.object, receivedAt);
      if (other) return other;
      const check = readCheck(looseFields(withoutDaemon(parsed.object)));
      if (!check) return unreadable(stored('the body has no host or no state'), expected);
      const action = actionOf(check);
      if (typeof action !== 'string') return action;
      return { events: [checkEvent(check, action, source, receivedAt)] };
    },
  };
}

/** Reads bodies that are not from the script; null if the body is. */
type ReadOther = (body: JsonObject, receivedAt: Temporal.Instant) => AdapterResult | null;

/** Nagios exports its macros as `NAGIOS_HOSTNAME`, Icinga has a few like `icinga.timet`. */
function withoutDaemon(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(body).map((name) => [name.replace(/^(?:nagios|icinga)[_.]/i, ''), field(body, name)]),
  );
}

type Check = {
  fields: LooseFields;
  host: string;
  /** Null if it is about the host itself. */
  service: string | null;
  /** In capitals, as the daemons write them. */
  state: string;
  notification: string | null;
};

function readCheck(fields: LooseFields): Check | null {
  const host = fields.text('host_name', 'hostname', 'host_display_name', 'host_alias', 'host');
  const service = fields.text(
    'service_description',
    'service_desc',
    'service_name',
    'service_display_name',
    'service',
  );
  const states = service ? ['service_state', 'state'] : ['host_state', 'state'];
  const state = fields
    .text(...states)
    ?.trim()
    .toUpperCase();
  const notification = fields.text('notification_type', 'type')?.trim().toUpperCase() ?? null;
  // Without a type, only a known state shows that the body comes from such a daemon.
  if (!host || (notification === null && !STATES.includes(state ?? ''))) return null;
  return { fields, host, service, state: state ?? '', notification };
}

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['PROBLEM', 'open'],
  ['ACKNOWLEDGEMENT', 'acknowledge'],
  ['RECOVERY', 'resolve'],
]);

/** Nagios sends no recovery during a downtime or while a check flaps, so their ends report it. */
const MAY_END = /^(?:DOWNTIME(?:END|CANCELLED|REMOVED)|FLAPPING(?:END|STOP|DISABLED))$/;

const ENDS = ['OK', 'UP'];
const STATES = [...ENDS, 'WARNING', 'CRITICAL', 'UNKNOWN', 'DOWN', 'UNREACHABLE', 'PENDING'];

function actionOf({ notification, state }: Check): MomentEvent['action'] | { ignored: string } {
  if (MAY_END.test(notification ?? '') && ENDS.includes(state)) return 'resolve';
  if (notification === null) return ENDS.includes(state) ? 'resolve' : 'open';
  return (
    ACTIONS.get(notification) ?? {
      ignored: stored('A notification of type {notification} neither begins nor ends a problem.', {
        notification: quoted(notification),
      }),
    }
  );
}

const PRIORITIES = new Map<string, Priority>([
  ['DOWN', 'high'],
  ['UNREACHABLE', 'high'],
  ['CRITICAL', 'high'],
  ['WARNING', 'medium'],
  ['UNKNOWN', 'medium'],
]);

function checkEvent(
  check: Check,
  action: MomentEvent['action'],
  source: string,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const { fields, host, service, state } = check;
  const what = service ? `${service} on ${host}` : host;
  const acknowledges = action === 'acknowledge';
  const sent = senderTime(fields.value('timet', 'timestamp', 'long_date_time', 'date_time'));
  const at = sent ?? receivedAt;
  const changed = senderTime(
    service
      ? fields.value('last_service_state_change', 'last_state_change')
      : fields.value('last_host_state_change', 'last_state_change'),
  );
  return momentEvent(
    {
      dedupKey: service ? `${host}!${service}` : host,
      action,
      name: state ? `${what} is ${state}` : what,
      type: 'alert',
      priority: PRIORITIES.get(state) ?? 'medium',
      severity: state || null,
      labels: [
        ...fields.list('host_groups', 'host_group_names'),
        ...fields.list('service_groups', 'service_group_names'),
      ],
      by: acknowledges ? authorOf(fields) : null,
      comment: acknowledges ? commentOf(fields) : null,
      description: description(check, action),
      source,
      sourceUrl: urls(check).find((url) => url !== null) ?? null,
      occurredAt: (action === 'open' ? changed : null) ?? at,
      at,
      ...(sent ? { inOrder: true } : {}),
    },
    receivedAt,
  );
}

/** The URL in the daemon's web interface, if the script knows it, and the notes in the configuration. */
function urls({ fields, service }: Check): (string | null)[] {
  const own = service ? ['service_notes_url', 'service_action_url'] : [];
  const names = ['url', ...own, 'notes_url', 'action_url', 'host_notes_url', 'host_action_url'];
  return names.map((name) => httpUrlOrNull(fields.text(name)));
}

function authorOf(fields: LooseFields): string | null {
  return fields.text('notification_author', 'ack_author', 'author');
}

function commentOf(fields: LooseFields): string | null {
  return fields.text('notification_comment', 'ack_comment', 'comment');
}

function description(check: Check, action: MomentEvent['action']): string | null {
  const { fields, service } = check;
  const output = fields.text(service ? 'service_output' : 'host_output', 'output');
  // Nagios writes line breaks of its macros as \n.
  const more = fields
    .text(service ? 'long_service_output' : 'long_host_output', 'long_output')
    ?.replaceAll('\\n', '\n');
  const acknowledges = action === 'acknowledge';
  return paragraphs(
    codeBlock([output, more].filter(Boolean).join('\n')),
    factLines([
      ['Host', check.host],
      ['Address', fields.text('host_address', 'address')],
      ['Service', service],
      ['Attempt', fields.text(service ? 'service_attempt' : 'host_attempt', 'attempt')],
      ['By', acknowledges ? null : authorOf(fields)],
      ['Comment', acknowledges ? null : commentOf(fields)],
    ]),
    linkLine(
      markdownLink(
        'Notes',
        httpUrlOrNull(fields.text(service ? 'service_notes_url' : 'host_notes_url', 'notes_url')),
      ),
    ),
  );
}
