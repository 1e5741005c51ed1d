import { METHOD_TYPES, methodOf } from '../notifications/channels/contract.ts';

/** Words of this room: what people are told that is not a page. */

/** Something that somebody should know, in plain sentences. Nobody is woken by it; pages always go first. */
export type Notice = {
  organizationId: string;
  userId: string;
  /** What happened, for programs: `shift.changed`, `cover.asked`, `schedule.gap`. Small letters, `_` and dots. */
  kind: string;
  /** One line, at most 300 characters. */
  subject: string;
  /** Whole sentences, at most 10,000 characters. */
  text: string;
  /** Where the dashboard shows it, such as `/schedules/schedule_…`; null when nowhere. */
  path: string | null;
  /** The same key is told to the same person once, ever; null is told each time. */
  dedupKey: string | null;
};

/** A text to an address, whoever's it is: invitations, codes. No notification rules are asked. */
export type AddressedMessage = {
  organizationId: string;
  channel: 'email' | 'sms' | 'voice';
  address: string;
  subject: string;
  text: string;
  /** A whole address for a link or a button; null for none. */
  url: string | null;
  /** The same key is sent to the same address once, ever. */
  dedupKey: string | null;
  /** Not sent after that. */
  expiresAt: Temporal.Instant;
};

/** Contact methods that notices go to: nobody is called or texted for what is not a page. */
export const QUIET_METHODS = METHOD_TYPES.filter((type) => methodOf(type).notices !== 'never');
