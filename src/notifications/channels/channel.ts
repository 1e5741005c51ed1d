import type { Urgency } from '../../pages/urgency-contract.ts';
import type { ChannelName } from './contract.ts';
import type { Content } from './message.ts';

/**
 * What every way of reaching a person has in common. One file a channel beside this one; all of them pass the
 * same contract suite (`channel.contract.ts`), so that the engine never needs to know which one it speaks to.
 */

export { CHANNELS, type ChannelName } from './contract.ts';

/** Where a notification goes. Which fields matter depends on the channel. */
export type Address = {
  /** Phone number (E.164), email address, chat handle, URL of a webhook, endpoint of a push subscription. */
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

/** One message to one person about one page (or, when bundled, about several). */
export type Notification = {
  type: 'page.notification' | 'page.expired';
  /** Stays the same for every attempt of one delivery: receivers use it to drop repeats. */
  deliveryId: string;
  /** Counts from 1; part of nothing that a receiver compares. */
  attempt: number;
  pageId: string;
  title: string;
  text: string;
  urgency: Urgency;
  sourceUrl: string | null;
  team: { name: string; slug: string } | null;
  /** Decimal stage as text, null for person pages and the backstop. */
  stage: string | null;
  round: number;
  /** True when an earlier attempt may have reached the person although we never learned of it. */
  repeat: boolean;
  /** Other pages that this one message stands for, newest first; empty when it stands for itself alone. */
  bundled: { pageId: string; title: string }[];
  /** Signed link; GET shows a page with one button and changes nothing, POST acknowledges. */
  acknowledgeUrl: string;
  pageUrl: string;
  sentAt: Temporal.Instant;
  /** Short code that a person sends back in an SMS to acknowledge exactly this page. */
  replyCode: string;
};

/**
 * How an attempt ended.
 * - `accepted`: the provider took it over; `providerId` is its name for the message.
 * - `refused`: trying this address again cannot help (bad number, revoked credentials, 4xx): the next channel starts at once.
 * - `retry`: it may work later (429, 5xx, time-out, connection refused). `retryAfterMs` is what the provider asked for.
 *   `maybeSent` is true when the message may have left (time-out after the request was written, malformed answer).
 *
 * `problem` names trouble with the provider itself rather than with this address, for the list of problems.
 */
export type Outcome =
  | { kind: 'accepted'; providerId: string | null }
  | { kind: 'refused'; error: string; problem?: Problem }
  | { kind: 'retry'; error: string; retryAfterMs?: number; maybeSent: boolean; problem?: Problem };

/** Trouble with a provider: what happened and what a person can do about it. */
export type Problem = {
  code: 'not_configured' | 'credentials' | 'unreachable' | 'rate_limited' | 'misconfigured';
  fix: string;
};

export type Channel = {
  name: ChannelName;
  /** Null when it can be used; else one sentence that names the missing setting. */
  unavailable: string | null;
  /**
   * Hands one notification about a page, or a message that is none, to the provider. Never throws and always ends before `signal`'s deadline
   * (callers give 10 s): everything that can go wrong is an `Outcome`.
   */
  send(content: Content, address: Address, signal: AbortSignal): Promise<Outcome>;
};
