import { stored } from '../../language/contract.ts';
import { field, firstText, isObject, type JsonObject, objectField, textField } from './payload.ts';
import { senderTime } from './sender-time.ts';
import { unreadable, unrecordable } from './unread.ts';

/** One alert of a group. */
export type Alert = {
  firing: boolean;
  /** The sender's own name for the alert within its group. */
  fingerprint: string | null;
  labels: JsonObject;
  annotations: JsonObject;
  generatorUrl: string | null;
  /** Grafana's own links; Alertmanager has none. */
  dashboardUrl: string | null;
  panelUrl: string | null;
  silenceUrl: string | null;
  startsAt: Temporal.Instant | null;
  endsAt: Temporal.Instant | null;
};

/** A notification about a group of alerts, in the format of Alertmanager, which other products have adopted. */
export type AlertGroup = {
  /** The key of the group, the same in all its notifications. */
  key: string;
  /** Whether any alert still fires. */
  firing: boolean;
  groupLabels: [name: string, value: string][];
  commonLabels: JsonObject;
  commonAnnotations: JsonObject;
  externalUrl: string | null;
  /** Alerts that the sender left out. */
  truncated: number;
  /** Alerts in the body, and how many of them fire. */
  shown: number;
  firingCount: number;
  /** The first alerts, enough for a description. */
  alerts: Alert[];
  /** All alerts in the body. */
  all: Alert[];
  /** The alert that represents the group: the first firing one, otherwise the first. */
  subject: Alert;
  /** Severity labels of the firing alerts, or of all alerts if none is firing. */
  severities: Set<string>;
  /** When the oldest of these alerts began. */
  startedAt: Temporal.Instant | null;
  /** The newest beginning or end of any alert. */
  changedAt: Temporal.Instant | null;
};

/** More alerts than this are counted but not described. */
const DESCRIBED = 20;
const SEVERITY_LABELS = ['severity', 'priority', 'level'];

/** `expected`: the name of the expected notification, for errors. */
export function readAlertGroup(body: JsonObject, expected: string): AlertGroup | { error: string } {
  const listed = field(body, 'alerts');
  if (!Array.isArray(listed)) return unreadable(stored('the body has no list "alerts"'), expected);
  const alerts = listed.filter(isObject).map((alert) => readAlert(alert));
  const subject = alerts.find((alert) => alert.firing) ?? alerts[0];
  if (!subject) return unrecordable(stored('the list "alerts" has no alert in it'));
  const firing = isFiring(textField(body, 'status'), alerts);
  if (firing === null)
    return unreadable(
      stored('neither the group nor its alerts have a status'),
      stored('"firing" or "resolved"'),
    );
  const counted = firing && subject.firing ? alerts.filter((alert) => alert.firing) : alerts;
  return {
    key: groupKey(body, subject),
    firing,
    groupLabels: textEntries(objectField(body, 'groupLabels')),
    commonLabels: objectField(body, 'commonLabels'),
    commonAnnotations: objectField(body, 'commonAnnotations'),
    externalUrl: textField(body, 'externalURL'),
    truncated: count(field(body, 'truncatedAlerts')),
    shown: alerts.length,
    firingCount: counted.length,
    alerts: alerts.slice(0, DESCRIBED),
    all: alerts,
    subject,
    severities: severitiesOf(counted),
    startedAt: fold(counted, ({ startsAt }) => startsAt, -1),
    changedAt: fold(alerts, (alert) => (firing && alert.firing ? alert.startsAt : alert.endsAt), 1),
  };
}

type StatedAlert = Alert & { stated: boolean };

function readAlert(alert: JsonObject): StatedAlert {
  const status = textField(alert, 'status')?.toLowerCase();
  const startsAt = senderTime(field(alert, 'startsAt'));
  return {
    stated: status === 'firing' || status === 'resolved',
    firing: status !== 'resolved',
    fingerprint: textField(alert, 'fingerprint'),
    labels: objectField(alert, 'labels'),
    annotations: objectField(alert, 'annotations'),
    generatorUrl: textField(alert, 'generatorURL'),
    dashboardUrl: textField(alert, 'dashboardURL'),
    panelUrl: textField(alert, 'panelURL'),
    silenceUrl: textField(alert, 'silenceURL'),
    startsAt,
    // Without a beginning, an end cannot be compared with anything. The time of receipt is then used for both.
    endsAt: startsAt && senderTime(field(alert, 'endsAt')),
  };
}

function isFiring(status: string | null, alerts: readonly StatedAlert[]): boolean | null {
  const group = status?.toLowerCase();
  if (group === 'firing' || group === 'resolved') return group === 'firing';
  return alerts.some((alert) => alert.stated) ? alerts.some((alert) => alert.stated && alert.firing) : null;
}

/** The sender's own key, or the labels of the group without one. */
function groupKey(body: JsonObject, subject: Alert): string {
  const given = textField(body, 'groupKey');
  if (given) return given;
  const labels = textEntries(objectField(body, 'groupLabels'));
  return JSON.stringify((labels.length > 0 ? labels : textEntries(subject.labels)).sort());
}

export function textEntries(object: JsonObject): [string, string][] {
  return Object.keys(object).flatMap((name) => {
    const value = textField(object, name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
}

function severitiesOf(alerts: readonly Alert[]): Set<string> {
  const severities = new Set<string>();
  for (const { labels } of alerts) {
    const severity = firstText(labels, SEVERITY_LABELS);
    if (severity) severities.add(severity);
  }
  return severities;
}

/** The earliest (sign −1) or latest (sign 1) of the alerts' times. */
function fold(
  alerts: readonly Alert[],
  timeOf: (alert: Alert) => Temporal.Instant | null,
  sign: 1 | -1,
): Temporal.Instant | null {
  let found: Temporal.Instant | null = null;
  for (const alert of alerts) {
    const at = timeOf(alert);
    if (at && (!found || Temporal.Instant.compare(at, found) * sign > 0)) found = at;
  }
  return found;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
