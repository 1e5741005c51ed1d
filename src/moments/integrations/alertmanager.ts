import { stored } from '../../language/contract.ts';
import { httpUrlOrNull } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, GROUP_BODY_LIMIT } from './adapter.ts';
import { type AlertGroup, readAlertGroup, textEntries } from './alert-group.ts';
import { groupEvent } from './alert-group-event.ts';
import { plainText } from './sender-text.ts';
import { unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('an Alertmanager notification (version 4)');

/**
 * Prometheus Alertmanager, webhook payload version 4. The unit is the group, not the alert: with `max_alerts`, some
 * alerts are never sent, not even when they end, and a moment for each could stay open for ever.
 */
export const alertmanager: Adapter = { bodyLimit: GROUP_BODY_LIMIT, read: readAlertmanager };

function readAlertmanager({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const group = readAlertGroup(parsed.object, EXPECTED);
  if ('error' in group) return group;
  const sender = {
    source: 'Alertmanager',
    sourceUrl: httpUrlOrNull(group.subject.generatorUrl) ?? httpUrlOrNull(group.externalUrl),
    fallbackName: 'Alertmanager alert',
    write: plainText,
    silenceUrl: silenceUrl(group),
  };
  return { events: [groupEvent(group, sender, receivedAt)] };
}

/** The form for a new silence in Alertmanager, filled with the common labels of the alerts. */
function silenceUrl(group: AlertGroup): string | null {
  if (!group.externalUrl) return null;
  const labels = textEntries(group.shown === 1 ? group.subject.labels : group.commonLabels);
  const matchers = labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
  const base = group.externalUrl.replace(/\/$/, '');
  return `${base}/#/silences/new?filter=${encodeURIComponent(`{${matchers}}`.toWellFormed())}`;
}
