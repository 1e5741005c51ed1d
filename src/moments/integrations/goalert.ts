import type { Detail } from '../../kit/fault.ts';
import { sha256 } from '../../kit/sealing.ts';
import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { type DialectCall, readDialectCall } from './dialect-call.ts';
import { factLines, paragraphs } from './facts.ts';
import { grafana } from './grafana.ts';
import { type JsonObject, quoted, textField } from './payload.ts';
import { markdownText, plainText } from './sender-text.ts';
import { unreadableBody, unrecordable } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

/** Calls of GoAlert's integration keys: generic, Grafana, Prometheus Alertmanager and Site24x7. */
export const goalert: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readCall };

function readCall(input: AdapterInput): AdapterResult {
  const call = readDialectCall(input.body);
  const body = Buffer.from(call.body);
  if (call.path.includes('/prometheusalertmanager/')) return alertmanager.read({ ...input, body });
  if (call.path.includes('/grafana/')) return grafana.read({ ...input, body });
  if (call.path.includes('/site24x7/')) return site24x7Alert(call, body, input.receivedAt);
  return genericAlert(call, body, input.receivedAt);
}

/** Site24x7's words for the states of a monitor. All others are refused, as in GoAlert. */
const STATES: Record<string, { action: 'open' | 'resolve'; priority: Priority }> = {
  DOWN: { action: 'open', priority: 'high' },
  CRITICAL: { action: 'open', priority: 'high' },
  TROUBLE: { action: 'open', priority: 'medium' },
  UP: { action: 'resolve', priority: 'medium' },
};

/** The problem with an alert of Site24x7; null if there is none. */
export function site24x7Problem(body: JsonObject): Detail | null {
  const word = textField(body, 'STATUS')?.trim() ?? '';
  if (!STATES[word.toUpperCase()])
    return {
      field: 'STATUS',
      message: stored('is {value}; give DOWN, CRITICAL, TROUBLE or UP', { value: quoted(word) }),
    };
  if (textField(body, 'MONITORNAME')) return null;
  return { field: 'MONITORNAME', message: stored('is missing or blank; give the name of the monitor') };
}

/** Facts for the text; the settings of Site24x7 decide which of them a call has. */
const FACTS = [
  ['Kind', 'MONITORTYPE'],
  ['URL', 'MONITORURL'],
  ['Failed at', 'FAILED_LOCATIONS'],
  ['Time', 'INCIDENT_TIME'],
] as const;

/**
 * An alert is about its monitor: without a `dedup` in the query, the monitor's name and link are the key, as in
 * GoAlert.
 */
function site24x7Alert(call: DialectCall, body: Buffer, receivedAt: Temporal.Instant): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, stored('an alert of Site24x7'));
  const text = (name: string) => textField(parsed.object, name);
  const problem = site24x7Problem(parsed.object);
  const word = text('STATUS')?.trim() ?? '';
  const state = STATES[word.toUpperCase()];
  const name = text('MONITORNAME');
  if (problem !== null || !state || !name)
    return {
      error: stored('the field {field} {problem}.', {
        field: `"${problem?.field}"`,
        problem: problem?.message ?? '',
      }),
    };
  const link = httpUrlOrNull(text('MONITOR_DASHBOARD_LINK'));
  const event = momentEvent(
    {
      dedupKey: textField(call.query, 'dedup') ?? sha256(`${name}\n${link ?? ''}`).toString('hex'),
      ...state,
      name: `${name} is ${word.toLowerCase()}`,
      type: 'alert',
      severity: word,
      labels: [`monitor=${name.slice(0, 300)}`],
      description: paragraphs(
        plainText(text('INCIDENT_REASON')),
        factLines(FACTS.map(([label, field]) => [label, text(field)])),
      ),
      source: 'Site24x7',
      sourceUrl: link,
      occurredAt: receivedAt,
      at: receivedAt,
    },
    receivedAt,
  );
  return { events: [event] };
}

function genericAlert(call: DialectCall, body: Buffer, receivedAt: Temporal.Instant): AdapterResult {
  const parsed = call.body.trim() === '' ? { object: {} } : readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, stored('JSON or a form with a "summary"'));
  const text = (name: string) => textField(parsed.object, name) ?? textField(call.query, name);
  const summary = text('summary');
  const closes = text('action')?.toLowerCase() === 'close';
  const dedup = text('dedup');
  if (!summary && !(closes && dedup)) return unrecordable(stored('the "summary" is missing or empty'));
  const details = text('details');
  const event = momentEvent(
    {
      dedupKey: dedup ?? sha256(`${summary}\n${details ?? ''}`).toString('hex'),
      action: closes ? 'resolve' : 'open',
      name: summary ?? 'GoAlert alert',
      type: 'alert',
      priority: 'high',
      labels: metaLabels(parsed.object, call),
      description: markdownText(details),
      source: text('source') ?? 'GoAlert API',
      sourceUrl: null,
      occurredAt: receivedAt,
      at: receivedAt,
    },
    receivedAt,
  );
  return { events: [event] };
}

/** `meta` in a query or form: `key=value`, once or several times. */
function metaLabels(body: JsonObject, call: DialectCall): string[] {
  const meta = textField(body, 'meta') ?? textField(call.query, 'meta');
  return meta?.includes('=') ? [meta.slice(0, 300)] : [];
}
