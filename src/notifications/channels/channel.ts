import type { Urgency } from '../../pages/urgency-contract.ts';
import type { ChannelName } from './contract.ts';
import type { Content } from './message.ts';

/**
 * What all channels have in common. All of them pass the same contract suite (`channel.contract.ts`), so the engine
 * treats them alike.
 */

export { CHANNELS, type ChannelName } from './contract.ts';

/** Where a notification goes. The channel decides which fields it uses. */
export type Address = {
  /** Phone number (E.164), email address, chat handle, webhook URL, or endpoint of a push subscription. */
  value: string;
  /** Slack's user id, for `chat`. */
  chatUserId?: string | null;
  /** Keys of a Web Push subscription, for `push`. */
  pushKeys?: { p256dh: string; auth: string } | null;
  /** Standard Webhooks secret (`whsec_…`), for `webhook`. */
  signingSecret?: string | null;
  /** The organization user behind the address, for `browser`. */
  userId: string;
};

/** One message to one person about one page, or about several if it is bundled. */
export type Notification = {
  type: 'page.notification' | 'page.expired';
  /** The same for every attempt of a delivery, so that receivers can drop repeats. */
  deliveryId: string;
  /** Counts from 1. Receivers do not compare it. */
  attempt: number;
  pageId: string;
  title: string;
  text: string;
  urgency: Urgency;
  sourceUrl: string | null;
  team: { name: string; slug: string } | null;
  /** The stage as decimal text; null for the backstop and for pages to a person. */
  stage: string | null;
  round: number;
  /** True when an earlier attempt may have reached the person although its outcome is unknown. */
  repeat: boolean;
  /** Other pages that are bundled into this message, newest first. */
  bundled: { pageId: string; title: string }[];
  /** Signed link. GET shows a button and changes nothing, POST acknowledges. */
  acknowledgeUrl: string;
  pageUrl: string;
  sentAt: Temporal.Instant;
  /** Short code that acknowledges this page when a person replies with it by SMS. */
  replyCode: string;
};

/** Notifies a person that a page has ended; nobody has to act on it. */
export type Resolution = {
  /** The same for every attempt, so that receivers can drop repeats. */
  id: string;
  /** The notification that the person got. */
  notification: Notification;
  /** The provider's id of that notification; null when it gave none. */
  providerId: string | null;
  /** The source or person that resolved the page; null if it is no longer known. */
  by: string | null;
  resolvedAt: Temporal.Instant;
  sentAt: Temporal.Instant;
};

/**
 * How an attempt ended.
 * - `accepted`: the provider accepted the message; `providerId` is the provider's id of it.
 * - `refused`: another attempt at this address would fail, too (bad number, revoked credentials, 4xx), so the next
 *   channel starts at once.
 * - `retry`: a later attempt may succeed (429, 5xx, time-out, connection refused). `retryAfterMs` is the delay that the
 *   provider requests. `maybeSent` is true when the message may have been sent (time-out after the request was written,
 *   malformed response).
 *
 * `problem` reports a problem of the provider as opposed to this address.
 */
export type Outcome =
  | { kind: 'accepted'; providerId: string | null }
  | { kind: 'refused'; error: string; problem?: Problem }
  | { kind: 'retry'; error: string; retryAfterMs?: number; maybeSent: boolean; problem?: Problem };

/** Where something was sent. */
export type Addressed = { channel: ChannelName; address: string };

/** A problem with a provider, and its fix. */
export type Problem = {
  code: 'not_configured' | 'credentials' | 'unreachable' | 'rate_limited' | 'misconfigured';
  fix: string;
};

export type Channel = {
  name: ChannelName;
  /** Null when the channel can be used, otherwise a sentence that names the missing setting. */
  unavailable: string | null;
  /**
   * Sends a notification or a message to the provider. Never throws, and ends within 10 s, or soon after `signal` has aborted.
   * Every failure is an `Outcome`.
   */
  send(content: Content, address: Address, signal?: AbortSignal): Promise<Outcome>;
  /**
   * Announces that a page has ended, with the same promises as `send`: changes the chat message or the push
   * notification, or ends the call. Null for channels that send a message instead.
   */
  resolve: ((resolution: Resolution, address: Address, signal?: AbortSignal) => Promise<Outcome>) | null;
};
