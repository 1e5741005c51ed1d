import { oneLine } from '../kit/one-line.ts';
import { sha256 } from '../kit/sealing.ts';
import { FORMATS } from '../kit/validation.ts';
import type { Urgency } from '../pages/urgency-contract.ts';
import type { MomentType, Priority } from './contract.ts';
import { plainMarkdown } from './markdown.ts';
import { cutName } from './name.ts';
import type { Parts } from './parts.ts';

/** What one call of a sender says about one thing that may need attention. */
export type MomentEvent = {
  /** What follow-up calls about the same thing share, within one webhook; null when nothing can follow. */
  dedupKey: string | null;
  /** `unacknowledge`: nobody looks after it any more. */
  action: 'open' | 'acknowledge' | 'unacknowledge' | 'resolve';
  name: string;
  type: MomentType;
  priority: Priority;
  /** Markdown. */
  description: string | null;
  source: string | null;
  /** False: the event notifies nobody where it comes from, so a page source records it and pages nobody. */
  pages?: false;
  /** http or https. */
  sourceUrl: string | null;
  /** When the thing began. */
  occurredAt: Temporal.Instant;
  /** The sender's time of this very event; tells which of two events is the newer. */
  at: Temporal.Instant;
  /** The sender's own word for how bad it is, for the webhook's own priorities. Nothing of it is stored. */
  severity?: string | null;
  /** The thing's labels or tags, for the webhook's rules of near misses. Nothing of them is stored. */
  labels?: readonly string[];
  /** For senders of groups: what it says of each part, so that none is taken for another that is over. */
  parts?: Parts | null;
  /** An acknowledgement that tells everything about the thing: it also opens a moment, acknowledged, where none is open. */
  opens?: boolean;
  /** It names nothing but the key; what was said before about the thing stays. */
  bare?: boolean;
  /** The whole name, if `name` had to be cut; one line. */
  fullName?: string;
  /** The urgency of a page, if the sender names one of ours. */
  urgency?: Urgency | null;
  /** The person who acted, as the sender names them. */
  by?: string | null;
  /** What that person wrote about it; plain text. */
  comment?: string | null;
};

const PERSON_LIMIT = 200;
const COMMENT_LIMIT = 2_000;
const DESCRIPTION_LIMIT = 20_000;
const KEY_LIMIT = 255;
const FULL_NAME_LIMIT = 1_000;

/**
 * Makes an event of what an adapter read, fit to be stored: name cut to 70 characters with the full title kept at the
 * head of the description, texts without characters that cannot be stored, no time later than the receipt.
 */
export function momentEvent(read: MomentEvent, receivedAt: Temporal.Instant): MomentEvent {
  const { name, cut } = cutName(read.name);
  const title = cut ? plainMarkdown(storable(read.name.slice(0, DESCRIPTION_LIMIT)).trim()) : null;
  const description = [title, read.description && storable(read.description).trim()]
    .filter(Boolean)
    .join('\n\n');
  return {
    ...read,
    dedupKey: shortKey(storableOrNull(read.dedupKey)),
    name: name || 'Untitled',
    ...(cut ? { fullName: oneLine(storable(read.name)).slice(0, FULL_NAME_LIMIT).toWellFormed() } : {}),
    description: description ? shortened(description, DESCRIPTION_LIMIT) : null,
    source: shortenedOrNull(storableOrNull(read.source), 1_000),
    sourceUrl: httpUrlOrNull(read.sourceUrl),
    by: shortenedOrNull(storableOrNull(read.by?.trim().replace(/\s+/g, ' ')), PERSON_LIMIT),
    comment: shortenedOrNull(storableOrNull(read.comment?.trim()), COMMENT_LIMIT),
    occurredAt: storableTime(earlier(read.occurredAt, receivedAt)),
    at: storableTime(earlier(read.at, receivedAt)),
  };
}

/** Keys are indexed, and an index takes no text of any length. */
export function shortKey(key: string | null): string | null {
  return key === null || key.length <= KEY_LIMIT ? key : sha256(key).toString('hex');
}

export type FormFields = Pick<MomentEvent, 'name' | 'type'> & {
  description?: string | undefined;
  priority?: Priority | undefined;
  source?: string | undefined;
  sourceUrl?: string | undefined;
  occurredAt?: Temporal.Instant | null;
  dedupKey?: string | null;
  action?: MomentEvent['action'];
};

/** Makes an event of a form that was checked: what people wrote stays as they wrote it. */
export function formEvent(fields: FormFields, receivedAt: Temporal.Instant): MomentEvent {
  return {
    dedupKey: storableOrNull(fields.dedupKey),
    action: fields.action ?? 'open',
    opens: fields.action === 'acknowledge',
    name: storable(fields.name),
    type: fields.type,
    priority: fields.priority ?? 'medium',
    description: storableOrNull(fields.description),
    source: storableOrNull(fields.source),
    sourceUrl: storableOrNull(fields.sourceUrl),
    occurredAt: storableTime(fields.occurredAt ?? receivedAt),
    at: receivedAt,
  };
}

/** The database stores neither U+0000 nor half of a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

/** What is empty, or nothing but what cannot be stored, is no text. */
function storableOrNull(text: string | null | undefined): string | null {
  return (text && storable(text)) || null;
}

export function httpUrlOrNull(value: unknown): string | null {
  return typeof value === 'string' && isHttpUrl(value) ? storable(value) : null;
}

function isHttpUrl(value: string): boolean {
  return FORMATS['http-url']?.(value) ?? false;
}

function shortenedOrNull(text: string | null, limit: number): string | null {
  return text === null ? null : shortened(text, limit);
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}

/** The database keeps microseconds; a repeated event must not seem older than itself. */
function storableTime(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: 'microsecond', roundingMode: 'floor' });
}

function earlier(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) < 0 ? a : b;
}
