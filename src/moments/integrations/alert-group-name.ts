import type { AlertGroup } from './alert-group.ts';
import { firstText, textField } from './payload.ts';

const INSTANCE_LABELS = ['instance', 'pod', 'service'];

/** Names a group: by the one alert in it, or by what its alerts have in common and how many they are. */
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
  const name = subjectName(group) ?? fallback;
  return place ? `${name} on ${place}` : name;
}

function commonName(group: AlertGroup, fallback: string): string {
  const common = textField(group.commonLabels, 'alertname');
  if (common) return common;
  const name = subjectName(group) ?? fallback;
  const differ = group.alerts.some(({ labels }) => textField(labels, 'alertname') !== subjectName(group));
  return differ ? `${name} and others` : name;
}

function subjectName(group: AlertGroup): string | null {
  return textField(group.subject.labels, 'alertname');
}
