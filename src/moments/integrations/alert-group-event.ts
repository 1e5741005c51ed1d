import { sha256 } from '../../kit/sealing.ts';
import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import { type AlertGroup, textEntries } from './alert-group.ts';
import { type GroupStyle, groupDescription } from './alert-group-description.ts';
import { groupName } from './alert-group-name.ts';
import { groupParts } from './alert-group-parts.ts';
import { higher, priorityOfSeverity } from './severity.ts';

/** The differences between the senders of alert groups. */
export type GroupSender = GroupStyle & {
  source: string;
  /** http or https. */
  sourceUrl: string | null;
  /** The name of groups without one. */
  fallbackName: string;
};

/** One event for a whole group. */
export function groupEvent(
  group: AlertGroup,
  sender: GroupSender,
  receivedAt: Temporal.Instant,
): MomentEvent {
  return momentEvent(
    {
      dedupKey: sha256(group.key).toString('hex'),
      action: group.firing ? 'open' : 'resolve',
      name: groupName(group, sender.fallbackName),
      type: 'alert',
      ...worst(group),
      labels: labelsOf(group),
      description: groupDescription(group, sender),
      source: sender.source,
      sourceUrl: sender.sourceUrl,
      occurredAt: group.startedAt ?? receivedAt,
      at: eventTime(group) ?? receivedAt,
      parts: groupParts(group),
    },
    receivedAt,
  );
}

/**
 * Senders of groups do not report when they sent a notification, so the newest change of its alerts is used. If alerts
 * were left out, the newest change may be among them, and only the time of receipt is safe.
 */
function eventTime(group: AlertGroup): Temporal.Instant | null {
  return group.truncated > 0 ? null : group.changedAt;
}

/** The worst severity of the firing alerts. An unknown word is better than none. */
function worst(group: AlertGroup): { priority: Priority; severity: string | null } {
  let found: { priority: Priority | null; severity: string | null } = { priority: null, severity: null };
  for (const severity of group.severities) {
    const priority = higher(found.priority, priorityOfSeverity(severity));
    if (found.severity === null || priority !== found.priority) found = { priority, severity };
  }
  return { priority: found.priority ?? 'medium', severity: found.severity };
}

/** Labels as `value` and as `name=value`. */
function labelsOf(group: AlertGroup): string[] {
  const labels = textEntries(group.shown === 1 ? group.subject.labels : group.commonLabels);
  return labels.slice(0, 100).flatMap(([name, value]) => [value, `${name}=${value}`]);
}
