import { METHOD_TYPES, methodOf } from '../notifications/channels/contract.ts';

/**
 * Information for a person, in plain sentences of their language. It never wakes anybody, and pages are always sent
 * first.
 */
export type Notice = {
  organizationId: string;
  userId: string;
  /** The event, for programs: `shift.changed`, `cover.asked`, `schedule.gap`. Lower-case letters, `_` and dots. */
  kind: string;
  /** One line, at most 300 characters. */
  subject: string;
  /** Whole sentences, at most 10,000 characters. */
  text: string;
  /** The dashboard's path for it, such as `/schedules/schedule_…`; null for none. */
  path: string | null;
  /** A person gets one notice for each key, ever; with null, there is no limit. */
  dedupKey: string | null;
};

/** The topics that a person's webhook can get besides pages: events of moments and of shifts of the person's teams. */
export const EVENT_TOPICS = ['moments', 'shifts'] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];

/** An event, for programs. */
export type ProgramEvent = {
  organizationId: string;
  teamId: string;
  /** Such as `moment.opened`. */
  type: string;
  /** The fields of its body. The rows limit their size. */
  data: Record<string, unknown>;
  /** The dashboard's path for it. */
  path: string;
};

/** A text to an address, such as an invitation or a code. Notification rules do not apply. */
export type AddressedMessage = {
  organizationId: string;
  channel: 'email' | 'sms' | 'voice';
  address: string;
  /** The person who reads it, in their language; null: the language of the organization. */
  readerId: string | null;
  /** Makes the texts, with `t`. */
  words(): { subject: string; text: string };
  /** A complete URL for a link or a button; null for none. */
  url: string | null;
  /** An address gets one message for each key, ever. */
  dedupKey: string | null;
  /** It is not sent after this time. */
  expiresAt: Temporal.Instant;
};

/** Contact methods that may get notices. SMS and voice are for pages only. */
export const QUIET_METHODS = METHOD_TYPES.filter((type) => methodOf(type).notices !== 'never');
