import type { ChannelName, Notification } from '../channels/channel.ts';
import type { Receipt } from './receipt.ts';

/** The channel by which somebody answered a page from outside the dashboard. */
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
 * - `already`: somebody (`by`) had acknowledged it before;
 * - `not_open`: resolved or expired;
 * - `choose`: nothing was done, because it could have been meant for any of `pages`;
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
 * - `escalated`: the next stage is notified now;
 * - `already`: this delivery was escalated before;
 * - `not_open`: acknowledged, resolved or expired;
 * - `unknown`: no such delivery or person.
 */
export type EscalateResult = { outcome: 'escalated' | 'already' | 'not_open' | 'unknown'; title?: string };

/** What the answers and receipts that providers bring in need from the rest of the service. */
export type InboundPorts = {
  /** The notification as it was sent; null when there is no such delivery. */
  findDelivery(
    deliveryId: string,
  ): Promise<{ deliveryId: string; pageId: string; notification: Notification; address: string } | null>;

  /**
   * Notes what a provider reports about a delivery; unknown deliveries are ignored. Receipts come doubled and out
   * of order: the new state is `advance(old, receipt.state)`, and only a change does anything.
   */
  receipt(deliveryId: string, receipt: Receipt): Promise<void>;

  /** Safe to repeat: a second answer with the same `answerId`, the provider's own name for it, gets the first reply. */
  acknowledge(answered: Answered, via: Via, answerId: string): Promise<AcknowledgeResult>;

  /** The same; it also escalates a page at most once for each delivery, so that a second key press does nothing. */
  escalate(
    answered: { deliveryId: string; chatUserId?: string },
    via: Via,
    answerId: string,
  ): Promise<EscalateResult>;
};
