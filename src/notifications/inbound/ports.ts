import type { Language } from '../../language/contract.ts';
import type { Escalated } from '../../pages/escalated.ts';
import type { ChannelName, Notification } from '../channels/channel.ts';
import type { Receipt } from './receipt.ts';

/** The channel, other than the dashboard, through which a person answered a page. */
export type Via = ChannelName;

/**
 * Which page somebody answered.
 * - a delivery alone: a key pressed during the call of that delivery;
 * - a delivery and a Slack user: a button, which a colleague of the person paged may have pressed;
 * - a phone number: a text message. With a code, the page that carried it to this number; without one, the only open
 *   page that was sent to this number within the past hour.
 */
export type Answered =
  | { deliveryId: string }
  | { deliveryId: string; chatUserId: string }
  | { phone: string; code: string | null };

/**
 * - `acknowledged`: just now, by `by`;
 * - `already`: `by` had already acknowledged it;
 * - `not_open`: resolved or expired;
 * - `choose`: nothing was done, because the answer may be for any of `pages`;
 * - `unknown`: no such delivery, code or person.
 */
export type AcknowledgeResult = {
  outcome: 'acknowledged' | 'already' | 'not_open' | 'choose' | 'unknown';
  title?: string;
  by?: string;
  /** Open pages, newest first, and the codes that acknowledge them. */
  pages?: { code: string; title: string }[];
};

/**
 * - `escalated`: `people` are notified now, possibly nobody; `escalatedText` says it;
 * - `already`: this delivery has already escalated the page;
 * - `no_stages`: it is open, and for one person, so there are no stages;
 * - `acknowledged`: `by` has acknowledged it, or its source if null; only the dashboard and the API escalate it now;
 * - `not_open`: resolved or expired;
 * - `unknown`: no such delivery or person.
 */
export type EscalateResult =
  | ({ outcome: 'escalated'; title: string } & Escalated)
  | { outcome: 'no_stages'; title: string }
  | { outcome: 'acknowledged'; title: string; by: string | null }
  | { outcome: 'already' | 'not_open' | 'unknown'; title?: string };

/** What providers' answers and receipts need from the rest of the service. */
export type InboundPorts = {
  /** The notification as it was sent; null if there is no such delivery. */
  findDelivery(
    deliveryId: string,
  ): Promise<{ deliveryId: string; pageId: string; notification: Notification; address: string } | null>;

  /**
   * Records a receipt; unknown deliveries are ignored. Receipts may be repeated and out of order: the new state is
   * `advance(old, receipt.state)`.
   */
  receipt(deliveryId: string, receipt: Receipt): Promise<void>;

  /** Idempotent: a second answer with the same `answerId`, which is the provider's id, gets the first reply. */
  acknowledge(answered: Answered, via: Via, answerId: string): Promise<AcknowledgeResult>;

  /**
   * The language of the person who answered; English if they are unknown. Never throws, because the answer already
   * counts.
   */
  languageOf(answered: Answered): Promise<Language>;

  /** Also idempotent. A delivery escalates a page at most once, so a second key press has no effect. */
  escalate(
    answered: { deliveryId: string; chatUserId?: string },
    via: Via,
    answerId: string,
  ): Promise<EscalateResult>;
};
