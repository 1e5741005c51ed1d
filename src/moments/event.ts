import { oneLine } from '../kit/one-line.ts';
import { sha256 } from '../kit/sealing.ts';
import { FORMATS } from '../kit/validation.ts';
import type { Urgency } from '../pages/urgency-contract.ts';
import type { MomentType, Priority } from './contract.ts';
import type { PageOrder } from './integrations/page-order.ts';
import { plainMarkdown } from './markdown.ts';
import { cutName } from './name.ts';
import type { Parts } from './parts.ts';

/** What a call reports about one problem. */
export type MomentEvent = {
  /** The key that follow-up calls about the same problem share within one webhook; null if none can follow. */
  dedupKey: string | null;
  /** `unacknowledge`: the acknowledgement was taken back. */
  action: 'open' | 'acknowledge' | 'unacknowledge' | 'resolve';
  name: string;
  type: MomentType;
  priority: Priority;
  /** Markdown. */
  description: string | null;
  source: string | null;
  /** False if the event notifies nobody in the sender's product. A page source then records it without paging. */
  pages?: false;
  /** http or https. */
  sourceUrl: string | null;
  /** When the problem began. */
  occurredAt: Temporal.Instant;
  /** The sender's time of this event, by which events are ordered. */
  at: Temporal.Instant;
  /** `at` is exact, and a new problem of the same key is never older than the end of the previous one. */
  inOrder?: boolean;
  /** The sender's own severity, for the priorities of the webhook's settings. It is not stored. */
  severity?: string | null;
  /** Labels or tags, for the near-miss rules of the webhook. They are not stored. */
  labels?: readonly string[];
  /** For senders of groups: the state of each part, so that parts are not confused with others that have ended. */
  parts?: Parts | null;
  /** An acknowledgement with all details, which opens an acknowledged moment if none is open. */
  opens?: boolean;
  /** The event only has the key, so the former texts stay. */
  bare?: boolean;
  /** It changes words, people or links of a known problem, and neither its state nor what decides whether and how it pages. */
  edit?: boolean;
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
 * Makes a storable event from an adapter's result. The name is cut to 70 characters, and the full title is put before
 * the description. Characters that cannot be stored are removed, and no time is later than the receipt.
 */
export function momentEvent(read: MomentEvent, receivedAt: Temporal.Instant): MomentEvent {
  const { name, cut } = cutName(read.name);
  const title = cut ? plainMarkdown(storable(read.name.slice(0, DESCRIPTION_LIMIT)).trim()) : null;
  const description = [title, read.description && storable(read.description).trim()]
    .filter(Boolean)
    .join('\n\n');
  return {
    ...read,
    dedupKey: shortKey(read.dedupKey),
    severity: storableOrNull(read.severity),
    labels: (read.labels ?? []).flatMap((label) => storableOrNull(label) ?? []),
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

/** A key as it is stored. Keys are indexed, and an index limits the length of its texts. */
export function shortKey(text: string | null): string | null {
  const key = storableOrNull(text);
  return key === null || key.length <= KEY_LIMIT ? key : sha256(key).toString('hex');
}

/** An order without characters that cannot be stored. */
export function pageOrder(read: PageOrder): PageOrder {
  const { by, comment } = read;
  const order = { ...read, by: storableOrNull(by), comment: storableOrNull(comment) };
  switch (order.order) {
    case 'title':
      return { ...order, title: storable(order.title) };
    case 'text':
      return { ...order, text: storable(order.text) };
    case 'severity':
      return { ...order, severity: storable(order.severity) };
    case 'add':
      return { ...order, responder: { ...order.responder, name: storable(order.responder.name) } };
    default:
      return order;
  }
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

/** Makes an event from a checked form. People's texts do not change. */
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

/** Null for text that is empty or holds only characters that cannot be stored. */
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

/** The database stores microseconds, and a repeated event must not seem older than itself. */
function storableTime(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: 'microsecond', roundingMode: 'floor' });
}

function earlier(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) < 0 ? a : b;
}
