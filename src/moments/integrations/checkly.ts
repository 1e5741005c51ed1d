import { stored } from '../../language/contract.ts';
import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import {
  type Adapter,
  type AdapterInput,
  type AdapterResult,
  type Headers,
  type SignedCall,
  USUAL_BODY_LIMIT,
} from './adapter.ts';
import { decodeEntities } from './entities.ts';
import { factLines, paragraphs } from './facts.ts';
import { type LooseFields, looseFields } from './loose-fields.ts';
import { readJsonObject } from './payload.ts';
import { codeBlock } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { checkSharedSecret, hasHexSignature } from './shared-secret.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('the payload from our page about Checkly');

/** Checkly's webhook alert channels. Users define the template of the payload. */
export const checkly: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readCheckly,
  verify: isSigned,
  checkSecret: checkSharedSecret,
};

/** Checkly's own example signs the JSON after removing blanks, so that is accepted, too. */
function isSigned(call: SignedCall): boolean {
  const signature = [call.headers['x-checkly-signature'] ?? ''];
  if (hasHexSignature(call, signature)) return true;
  const parsed = readJsonObject(call.body);
  if ('problem' in parsed) return false;
  return hasHexSignature(
    { body: Buffer.from(JSON.stringify(parsed.object)), secret: call.secret },
    signature,
  );
}

type AlertKind = { action: MomentEvent['action']; priority: Priority; words: string };

const FAILED: AlertKind = { action: 'open', priority: 'high', words: 'has failed' };
const DEGRADED: AlertKind = { action: 'open', priority: 'medium', words: 'is degraded' };
const RECOVERED: AlertKind = { action: 'resolve', priority: 'medium', words: 'has recovered' };
const EXPIRES: AlertKind = { action: 'open', priority: 'low', words: 'has a certificate that expires' };

const KINDS = new Map<string, AlertKind>([
  ['ALERT_FAILURE', FAILED],
  ['ALERT_FAILURE_REMAIN', FAILED],
  ['ALERT_DEGRADED_FAILURE', FAILED],
  ['ALERT_DEGRADED', DEGRADED],
  ['ALERT_DEGRADED_REMAIN', DEGRADED],
  ['ALERT_FAILURE_DEGRADED', DEGRADED],
  ['ALERT_RECOVERY', RECOVERED],
  ['ALERT_DEGRADED_RECOVERY', RECOVERED],
  ['ALERT_SSL', EXPIRES],
]);

function readCheckly({ headers, body, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const fields = looseFields(parsed.object, ['check', 'alert']);
  const title = fields.text('alert_title', 'event', 'title', 'message');
  const check = fields.text('check_name', 'name');
  const type = fields.text('alert_type', 'type')?.trim().toUpperCase() ?? null;
  if (type === 'NO_ALERT') return { ignored: stored('Checkly reports that there is no alert.') };
  const kind = KINDS.get(type ?? '') ?? kindOf(title);
  if (!kind || !(title || check))
    return unreadable(stored('the body has no "alert_type" that we know'), EXPECTED);
  return { events: [alertEvent(fields, kind, { title, check }, headers, receivedAt)] };
}

/** A payload without the type still has Checkly's sentence. */
function kindOf(title: string | null): AlertKind | null {
  const text = title?.slice(0, 1_000) ?? '';
  if (/\bha(?:s|ve) (?:now |been )?recovered\b/i.test(text)) return RECOVERED;
  if (/\b(?:ha(?:s|ve) failed|(?:is|are) (?:still )?failing)\b/i.test(text)) return FAILED;
  if (/\b(?:is|are|has|have) (?:still )?degraded\b/i.test(text)) return DEGRADED;
  return /\bcertificate\b.{0,300}\bexpire/i.test(text) ? EXPIRES : null;
}

function alertEvent(
  fields: LooseFields,
  kind: AlertKind,
  { title, check }: { title: string | null; check: string | null },
  headers: Headers,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const startedAt = senderTime(fields.value('started_at'));
  return momentEvent(
    {
      dedupKey: keyOf(fields, kind, check ?? subjectOf(title)),
      action: kind.action,
      name: decodeEntities(nameOf(kind, title, check)),
      type: 'alert',
      priority: kind.priority,
      severity: fields.text('alert_type', 'type'),
      labels: fields.list('tags'),
      description: description(fields),
      source: 'Checkly',
      sourceUrl: fields.text('link', 'result_link', 'url'),
      occurredAt: startedAt ?? receivedAt,
      // Retries delay calls, so Checkly's own time of the alert gives their order.
      at: senderTime(headers['x-checkly-timestamp']) ?? startedAt ?? receivedAt,
    },
    receivedAt,
  );
}

function keyOf(fields: LooseFields, kind: AlertKind, fallback: string): string {
  const check = fields.text('check_id') ?? fallback;
  return kind === EXPIRES ? `certificate ${fields.text('ssl_check_domain') ?? check}` : `check ${check}`;
}

/** The subject of a title, so that trigger and recovery have the same key. */
function subjectOf(title: string | null): string {
  return (title?.slice(0, 1_000) ?? '').replace(/ (?:has|have|is|are|fails)\b.*$/s, '').trim();
}

function nameOf(kind: AlertKind, title: string | null, check: string | null): string {
  if (check && kind !== EXPIRES) return `${check} ${kind.words}`;
  // The template in Checkly's documentation ends its sentence with the type.
  return title?.replace(/ is ALERT_[A-Z_]{1,40}$/, '') ?? `${check} ${kind.words}`;
}

function description(fields: LooseFields): string | null {
  const error = fields.text('check_error_message', 'error', 'error_message');
  const time = fields.text('response_time');
  return paragraphs(
    codeBlock(error && decodeEntities(error)),
    factLines([
      ['Group', fields.text('group_name')],
      ['Kind', fields.text('check_type')],
      ['From', fields.text('run_location', 'region')],
      ['Status', fields.text('api_check_response_status_code', 'status_code')],
      ['Time', time && `${time} ms`],
      ['Domain', fields.text('ssl_check_domain')],
      ['Days left', fields.text('ssl_days_remaining')],
    ]),
  );
}
