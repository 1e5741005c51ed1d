import type { AlertGroup } from './alert-group.ts';
import { firstText, type JsonObject, textField } from './payload.ts';

const INSTANCE_LABELS = ['instance', 'pod', 'service'];

/** Names a group: by its only alert, or by the common labels of its alerts and their number. */
export function groupName(group: AlertGroup, fallback: string): string {
  if (group.shown === 1 && group.truncated === 0) {
    const title = firstText(group.subject.annotations, ['summary', 'title']);
    return title ?? alertTitle(group, fallback);
  }
  const more = group.truncated > 0 ? '+' : '';
  const count = group.firing ? `${group.firingCount}${more} firing` : `${group.shown}${more} resolved`;
  const labels = group.groupLabels.filter(([name]) => name !== 'alertname').map(([, value]) => value);
  return [`${commonName(group, fallback)} (${count})`, ...labels.slice(0, 10)].join(' ');
}

function alertTitle(group: AlertGroup, fallback: string): string {
  const place = firstText(group.subject.labels, INSTANCE_LABELS);
  const name = alertName(group.subject.labels) ?? fallback;
  return place ? `${name} on ${place}` : name;
}

function commonName(group: AlertGroup, fallback: string): string {
  const common = alertName(group.commonLabels);
  if (common) return common;
  const name = alertName(group.subject.labels);
  const differ = group.alerts.some(({ labels }) => alertName(labels) !== name);
  return differ ? `${name ?? fallback} and others` : (name ?? fallback);
}

/**
 * Grafana's name for the alerts of a rule whose query returns nothing or fails. The rule's own name is a label of these
 * alerts.
 */
const WITHOUT_DATA = new Map([
  ['DatasourceNoData', 'has no data'],
  ['DatasourceError', 'cannot be evaluated'],
]);

function alertName(labels: JsonObject): string | null {
  const name = textField(labels, 'alertname');
  const trouble = WITHOUT_DATA.get(name ?? '');
  const rule = trouble === undefined ? null : textField(labels, 'rulename');
  return rule === null ? name : `${rule} ${trouble}`;
}
