import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { alertmanager } from './alertmanager.ts';
import { detailLabels } from './detail-labels.ts';
import { readDialectCall } from './dialect-call.ts';
import { paragraphs } from './facts.ts';
import { grafana } from './grafana.ts';
import { firstText, type JsonObject, textField } from './payload.ts';
import { codeBlock, plainText } from './sender-text.ts';
import { unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';
import { zabbix } from './zabbix.ts';

/** Calls of Grafana OnCall's integration URLs: `/integrations/v1/<type>/<token>/`. */
export const grafanaOncall: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readCall };

/** Types with their own adapter. */
const KNOWN: Record<string, Adapter> = {
  alertmanager,
  legacy_alertmanager: alertmanager,
  grafana,
  grafana_alerting: grafana,
  legacy_grafana_alerting: grafana,
  zabbix,
};

function readCall(input: AdapterInput): AdapterResult {
  const call = readDialectCall(input.body);
  const body = Buffer.from(call.body);
  const type = /\/integrations\/v1\/([^/]+)\//.exec(call.path)?.[1] ?? '';
  const known = Object.hasOwn(KNOWN, type) ? KNOWN[type] : undefined;
  const read = known?.read({ ...input, body });
  // OnCall's templates accept many shapes for any type, so a body of another shape is read as a webhook.
  if (read && !('error' in read)) return read;
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, stored('JSON or a form'));
  return { events: [webhookEvent(type, parsed.object, input.receivedAt)] };
}

/** A formatted webhook or any other body: the fields that OnCall's own templates read. */
function webhookEvent(type: string, body: JsonObject, receivedAt: Temporal.Instant): MomentEvent {
  const title = firstText(body, ['title', 'alert_title', 'summary', 'name', 'monitorFriendlyName']);
  const message = firstText(body, ['message', 'alert_message', 'description', 'text']);
  const id = firstText(body, ['alert_uid', 'dedup_key', 'id', 'alert_id']);
  return momentEvent(
    {
      dedupKey: id ?? title,
      action: isOver(body) ? 'resolve' : 'open',
      name: title ?? message ?? id ?? 'Grafana OnCall alert',
      type: 'alert',
      priority: 'high',
      severity: firstText(body, ['severity', 'level', 'priority']),
      labels: [...(type ? [`type=${type}`] : []), ...detailLabels(body)],
      description: paragraphs(plainText(message), codeBlock(JSON.stringify(body, null, 2))),
      source: textField(body, 'source') ?? 'Grafana OnCall',
      sourceUrl: httpUrlOrNull(firstText(body, ['link_to_upstream_details', 'source_link', 'url'])),
      occurredAt: receivedAt,
      at: receivedAt,
    },
    receivedAt,
  );
}

/** How OnCall's templates find the end: `state` of webhooks, `level` of Kapacitor, `alertType` of Uptime Robot (2: up). */
function isOver(body: JsonObject): boolean {
  if (textField(body, 'alertType') === '2') return true;
  const state = firstText(body, ['state', 'status', 'level'])?.trim().toLowerCase() ?? '';
  return ['ok', 'resolved', 'normal', 'up'].includes(state);
}
