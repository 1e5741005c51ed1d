import type { MomentEvent } from '../event.ts';
import type { WebhookSettings } from '../settings-contract.ts';
import type { PageOrder } from './page-order.ts';

/** Headers as they are stored: names in lower case, secrets removed. */
export type Headers = Readonly<Record<string, string>>;

export type AdapterInput = {
  headers: Headers;
  /** The raw body. Adapters detect its format themselves. */
  body: Buffer;
  /**
   * The webhook's settings. Issue trackers use them in `filterIssue`. Priorities, types and near-miss rules are applied to
   * the events of all adapters afterwards, with their `severity` and `labels`.
   */
  settings: Readonly<WebhookSettings>;
  receivedAt: Temporal.Instant;
};

export type AdapterResult =
  /**
   * If `certified` is present, it must be verified before anything is recorded. `orders` are for the pages of a source and do
   * not concern moments. `unread` is the problem of another part of the call, which cannot be read.
   */
  | { events: MomentEvent[]; orders?: PageOrder[]; certified?: CertifiedText; unread?: string }
  /** A valid call with nothing to record; a sentence gives the reason. */
  | { ignored: string }
  /** The sender waits for a confirmation before it sends anything. */
  | { confirm: Confirmation }
  /** An invalid call; a sentence gives the problem and the expected form. */
  | { error: string };

/**
 * A text that its sender (Amazon SNS) signed with a key whose certificate is at `certificateUrl`. The caller fetches
 * and verifies it, because adapters do not use the network.
 */
export type CertifiedText = {
  certificateUrl: string;
  algorithm: 'RSA-SHA1' | 'RSA-SHA256';
  /** The signed text, assembled as the sender documents. */
  signedText: string;
  /** Base64. */
  signature: string;
};

/**
 * A subscription (Amazon SNS) that is confirmed by fetching `url` once. The caller checks the hosts and the signature,
 * fetches the URL, and pins `topic` in the webhook's settings.
 */
export type Confirmation = CertifiedText & { url: string; topic: string };

/** A call that is not authenticated yet, and the signing secret of its webhook. */
export type SignedCall = {
  /** All headers, including those with secrets, which are never stored. Some senders send a token instead of a signature. */
  headers: Headers;
  body: Buffer;
  secret: string;
  now: Temporal.Instant;
};

/**
 * Turns a sender's calls into events. `read` is pure, takes time linear in the body, and never throws. For any input,
 * it returns complete events or the reason why there are none.
 */
export type Adapter = {
  /** Largest body in bytes. */
  bodyLimit: number;
  read(input: AdapterInput): AdapterResult;
  /**
   * For senders that give each call an id: the id, which is the same for every attempt. A second call to one webhook with
   * the same id within 48 hours is ignored. Null if this call has none.
   */
  senderCallId?: (call: { headers: Headers; body: Buffer }) => string | null;
  /** For senders that sign: whether the signature of the raw body is valid, compared in constant time. */
  verify?: (call: SignedCall) => boolean;
  /** For senders that sign: a sentence about the problem with a secret, or null. */
  checkSecret?: (secret: string) => string | null;
};

const MEBIBYTE = 1_024 * 1_024;
export const USUAL_BODY_LIMIT = MEBIBYTE;
/** For senders that put a whole group of alerts into one call, of any size. */
export const GROUP_BODY_LIMIT = 5 * MEBIBYTE;
