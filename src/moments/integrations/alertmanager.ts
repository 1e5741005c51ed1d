import { sha256 } from '../../kit/sealing.ts';
import type { Priority } from '../contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { type AlertGroup, readAlertGroup } from './alert-group.ts';
import { groupDescription } from './alert-group-description.ts';
import { firstText, readJsonObject, textField } from './payload.ts';
import { higher, priorityOfSeverity } from './severity.ts';

/**
 * Prometheus Alertmanager, webhook payload version 4. The unit is the group, not the alert: with `max_alerts` some
 * alerts are never shown, not even when they end, and a moment for each could stay open for ever.
 */
export const alertmanager: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readAlertmanager };

function readAlertmanager({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readJsonObject(body);
  if ('problem' in parsed)
    return { error: `the body ${parsed.problem}; an Alertmanager notification (version 4) is expected.` };
  const group = readAlertGroup(parsed.object);
  if ('error' in group) return group;
  return { events: [groupEvent(group, receivedAt)] };
}

function groupEvent(group: AlertGroup, receivedAt: Temporal.Instant): MomentEvent {
  return momentEvent(
    {
      dedupKey: sha256(group.key).toString('hex'),
      action: group.firing ? 'open' : 'resolve',
      name: groupName(group),
      type: 'alert',
      priority: groupPriority(group),
      description: groupDescription(group),
      source: 'Alertmanager',
      sourceUrl: httpUrlOrNull(group.subject.generatorUrl) ?? httpUrlOrNull(group.externalUrl),
      occurredAt: group.startedAt ?? receivedAt,
      at: eventTime(group) ?? receivedAt,
    },
    receivedAt,
  );
}

/**
 * Alertmanager does not say when it sent a notification, so the newest change among the alerts stands for it. Where
 * alerts were left out the newest change may be hidden among them; then only the time of receipt is safe.
 */
function eventTime(group: AlertGroup): Temporal.Instant | null {
  return group.truncated > 0 ? null : group.changedAt;
}

const INSTANCE_LABELS = ['instance', 'pod', 'service'];

function groupName(group: AlertGroup): string {
  if (group.shown === 1 && group.truncated === 0) {
    const { annotations } = group.subject;
    const title = firstText(annotations, ['summary', 'title']);
    return title ?? alertTitle(group);
  }
  const more = group.truncated > 0 ? '+' : '';
  const count = group.firing ? `${group.firingCount}${more} firing` : `${group.shown}${more} resolved`;
  const labels = group.groupLabels.filter(([name]) => name !== 'alertname').map(([, value]) => value);
  return [`${alertName(group)} (${count})`, ...labels.slice(0, 10)].join(' ');
}

function alertTitle(group: AlertGroup): string {
  const place = firstText(group.subject.labels, INSTANCE_LABELS);
  return place ? `${alertName(group)} on ${place}` : alertName(group);
}

function alertName(group: AlertGroup): string {
  return (
    textField(group.commonLabels, 'alertname') ??
    textField(group.subject.labels, 'alertname') ??
    'Alertmanager alert'
  );
}

/** The worst of the alerts that still fire. */
function groupPriority(group: AlertGroup): Priority {
  let worst: Priority | null = null;
  for (const severity of group.severities) worst = higher(worst, priorityOfSeverity(severity));
  return worst ?? 'medium';
}
