import { stored } from '../../language/contract.ts';
import { httpUrlOrNull } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  GROUP_BODY_LIMIT,
  type SignedCall,
} from './adapter.ts';
import { type AlertGroup, readAlertGroup } from './alert-group.ts';
import { groupEvent } from './alert-group-event.ts';
import { isLegacyGrafana, readLegacyGrafana } from './grafana-legacy.ts';
import { field, type JsonObject, textField } from './payload.ts';
import { markdownText } from './sender-text.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('a Grafana notification (webhook contact point)');
/** How far the signing time may be from now. Older calls may be replays. */
const TOLERANCE_SECONDS = 300;

/** Grafana's webhook contact point: the format of Alertmanager's groups with links of Grafana's own. */
export const grafana: Adapter = {
  bodyLimit: GROUP_BODY_LIMIT,
  read: readGrafana,
  verify: isSigned,
  checkSecret: checkSharedSecret,
};

function readGrafana({ body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const { object } = parsed;
  if (isLegacyGrafana(object)) return readLegacyGrafana(object, receivedAt);
  if (field(object, 'alerts') === undefined) return withoutAlerts(object);
  const group = readAlertGroup(object, EXPECTED);
  if ('error' in group) return group;
  const sender = {
    source: 'Grafana',
    sourceUrl: sourceUrl(group),
    fallbackName: titleOf(object) ?? 'Grafana alert',
    write: markdownText,
    silenceUrl: group.shown === 1 ? group.subject.silenceUrl : null,
  };
  return { events: [groupEvent(group, sender, receivedAt)] };
}

/** Grafana's own title, `[FIRING:1, RESOLVED:2] …`, without its head: for alerts that have no name. */
function titleOf(body: JsonObject): string | null {
  const title = textField(body, 'title')?.slice(0, 1_000);
  return title?.replace(/^\s*\[(?:FIRING|RESOLVED)[^\]]*\]/i, '').trim() || null;
}

function withoutAlerts(body: JsonObject): { error: string } {
  const problem = stored('the body has no list "alerts"');
  if (Object.keys(body).length === 0) return unreadable(problem, EXPECTED);
  return {
    error: stored(
      '{problem}; {expected} is expected; a custom payload of the contact point must be removed.',
      { problem, expected: EXPECTED },
    ),
  };
}

function sourceUrl({ subject, externalUrl }: AlertGroup): string | null {
  const urls = [subject.panelUrl, subject.dashboardUrl, subject.generatorUrl, externalUrl];
  return urls.map(httpUrlOrNull).find((url) => url !== null) ?? null;
}

/**
 * HMAC-SHA256 in hexadecimal over the body, or over `<seconds>:<body>` if the contact point sets a header for the time. Both
 * header names can be chosen; these are Grafana's default and the one in our documentation.
 */
function isSigned({ headers, body, secret, now }: SignedCall): boolean {
  const signature = headers['x-grafana-alerting-signature'] ?? '';
  const timestamp = headers['x-grafana-alerting-timestamp'];
  if (timestamp === undefined) return hasHexSignature({ body, secret }, [signature]);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - now.epochMilliseconds / 1_000) > TOLERANCE_SECONDS) return false;
  return hasHexSignature({ body: Buffer.concat([Buffer.from(`${timestamp}:`), body]), secret }, [signature]);
}
