import { sha256 } from '../../kit/sealing.ts';
import { momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { type DialectCall, readDialectCall } from './dialect-call.ts';
import { grafana } from './grafana.ts';
import { type JsonObject, textField } from './payload.ts';
import { markdownText } from './sender-text.ts';
import { readPayload } from './wrapped-payload.ts';

/** Calls of GoAlert's integration keys: generic, Grafana and Prometheus Alertmanager. */
export const goalert: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readCall };

function readCall(input: AdapterInput): AdapterResult {
  const call = readDialectCall(input.body);
  const body = Buffer.from(call.body);
  if (call.path.includes('/prometheusalertmanager/')) return alertmanager.read({ ...input, body });
  if (call.path.includes('/grafana/')) return grafana.read({ ...input, body });
  return genericAlert(call, body, input.receivedAt);
}

function genericAlert(call: DialectCall, body: Buffer, receivedAt: Temporal.Instant): AdapterResult {
  const parsed = call.body.trim() === '' ? { object: {} } : readPayload(body);
  if ('problem' in parsed)
    return { error: `the body ${parsed.problem}; JSON or a form with a "summary" is expected.` };
  const text = (name: string) => textField(parsed.object, name) ?? textField(call.query, name);
  const summary = text('summary');
  const closes = text('action')?.toLowerCase() === 'close';
  const dedup = text('dedup');
  if (!summary && !(closes && dedup))
    return { error: 'the "summary" is missing or empty; nothing can be recorded.' };
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
