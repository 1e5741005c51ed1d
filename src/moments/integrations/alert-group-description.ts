import { httpUrlOrNull } from '../event.ts';
import { codeSpan, markdownLink, plainMarkdown } from '../markdown.ts';
import { type Alert, type AlertGroup, textEntries } from './alert-group.ts';
import { firstText, type JsonObject, textField } from './payload.ts';

const LABEL_LIMIT = 200;

export type GroupStyle = {
  /** Makes Markdown of an alert's text. */
  write: (text: string | null) => string | null;
  /** The URL that creates a silence for the group. */
  silenceUrl: string | null;
};

/** The alerts as Markdown: their text, a line each if there are several, labels and links. */
export function groupDescription(group: AlertGroup, style: GroupStyle): string {
  const alone = group.shown === 1;
  return [
    annotationText(alone ? group.subject.annotations : group.commonAnnotations, style),
    alone ? null : alertList(group),
    labelLine(alone ? textEntries(group.subject.labels) : textEntries(group.commonLabels)),
    links(group, style),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function annotationText(annotations: JsonObject, { write }: GroupStyle): string | null {
  return write(firstText(annotations, ['description', 'message']));
}

function alertList(group: AlertGroup): string {
  const lines = group.alerts.map((alert) => alertLine(alert, group));
  const more = group.shown - group.alerts.length + group.truncated;
  if (more > 0) lines.push(`- and ${more.toLocaleString('en')} more`);
  return lines.join('\n');
}

function alertLine(alert: Alert, group: AlertGroup): string {
  const summary = firstText(alert.annotations, ['summary', 'title']);
  const own = textEntries(alert.labels).filter(
    ([name, value]) => textField(group.commonLabels, name) !== value,
  );
  const state = `**${alert.firing ? 'firing' : 'resolved'}**`;
  const text = summary && plainMarkdown(summary.slice(0, LABEL_LIMIT).replace(/\s+/g, ' '));
  return `- ${[state, text, labelLine(own)].filter(Boolean).join(' ')}`;
}

function labelLine(labels: [string, string][]): string | null {
  if (labels.length === 0) return null;
  return labels
    .slice(0, 30)
    .map(([name, value]) => codeSpan(`${name}=${JSON.stringify(value.slice(0, LABEL_LIMIT))}`))
    .join(' ');
}

function links(group: AlertGroup, { silenceUrl }: GroupStyle): string | null {
  const annotations = { ...group.commonAnnotations, ...group.subject.annotations };
  const found = [
    markdownLink('Runbook', httpUrlOrNull(firstText(annotations, ['runbook_url', 'runbook']))),
    ...dashboardLinks(annotations),
    markdownLink('Dashboard', httpUrlOrNull(group.subject.dashboardUrl)),
    markdownLink('Panel', httpUrlOrNull(group.subject.panelUrl)),
    markdownLink('Source', httpUrlOrNull(group.subject.generatorUrl)),
    markdownLink('Silence', httpUrlOrNull(silenceUrl)),
  ].filter(Boolean);
  return found.length > 0 ? found.join(' · ') : null;
}

function dashboardLinks(annotations: JsonObject): (string | null)[] {
  return textEntries(annotations)
    .filter(([name]) => name.startsWith('dashboard'))
    .slice(0, 3)
    .map(([, value]) => markdownLink('Dashboard', httpUrlOrNull(value)));
}
