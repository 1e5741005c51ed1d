import type { MomentEvent } from '../event.ts';
import type { WebhookSettings } from '../settings.ts';
import type { PageOrder } from './page-order.ts';

/** Headers as they are stored: names in lower case, secrets removed. */
export type Headers = Readonly<Record<string, string>>;

export type AdapterInput = {
  headers: Headers;
  /** The body as it came; adapters find out themselves what it is. */
  body: Buffer;
  /**
   * The webhook's own settings. Issue trackers ask `filterIssue`; priorities, types and near misses are applied to
   * every adapter's events afterwards, by their `severity` and `labels`.
   */
  settings: Readonly<WebhookSettings>;
  receivedAt: Temporal.Instant;
};

export type AdapterResult =
  /**
   * `certified` is believed before anything is recorded, or nothing is. `orders` are for the pages of a source; moments
   * know nothing of them.
   */
  | { events: MomentEvent[]; orders?: PageOrder[]; certified?: CertifiedText }
  /** Understood, and nothing to record; a sentence says why. */
  | { ignored: string }
  /** The sender waits for a sign of ours before it sends anything. */
  | { confirm: Confirmation }
  /** Not understood; a sentence says what is wrong and what would be right. */
  | { error: string };

/**
 * A text that its sender (Amazon SNS) signed with a key whose certificate is under `certificateUrl`. Whoever works on the
 * notification fetches it and checks: an adapter reaches no network.
 */
export type CertifiedText = {
  certificateUrl: string;
  algorithm: 'RSA-SHA1' | 'RSA-SHA256';
  /** What the sender signed, put together as it documents. */
  signedText: string;
  /** Base64. */
  signature: string;
};

/**
 * A subscription (Amazon SNS) that is confirmed by fetching `url` once. Whoever works on the notification checks the
 * hosts and the signature, fetches, and pins `topic` in the webhook's settings.
 */
export type Confirmation = CertifiedText & { url: string; topic: string };

/** A call and the signing secret of its webhook, before anything of it is believed. */
export type SignedCall = {
  /** All of them, also those with secrets, which are never stored: some senders show a token instead of signing. */
  headers: Headers;
  body: Buffer;
  secret: string;
  now: Temporal.Instant;
};

/**
 * Turns one sender's calls into events. `read` is pure, takes time linear in the body, and never throws: whatever
 * arrives, it gives whole events or the reason why there are none.
 */
export type Adapter = {
  /** Largest body in bytes. */
  bodyLimit: number;
  read(input: AdapterInput): AdapterResult;
  /**
   * For senders that number their calls: the number, the same for every attempt. A second call to one webhook with the
   * same number within 48 hours is ignored. Null when this call has none.
   */
  senderCallId?: (call: { headers: Headers; body: Buffer }) => string | null;
  /** For senders that sign: whether the signature over the raw body is right, compared in constant time. */
  verify?: (call: SignedCall) => boolean;
  /** For senders that sign: a sentence about what is wrong with a secret, or null. */
  checkSecret?: (secret: string) => string | null;
};

const MEBIBYTE = 1_024 * 1_024;
export const USUAL_BODY_LIMIT = MEBIBYTE;
/** For senders that put a whole group of alerts, however large, into one call. */
export const GROUP_BODY_LIMIT = 5 * MEBIBYTE;
