import type { ChannelName } from '../people/contract.ts';

/** How the channels do, as the settings page shows them. */
export type ChannelHealth = {
  channel: ChannelName;
  /** Null when it can be used; else one sentence that names the missing setting. */
  unavailable: string | null;
  /** Notifications about pages, of the last 24 hours. */
  day: { accepted: number; failed: number; waiting: number; last_accepted_at: string | null };
  /** The viewer's own verified contact method that a test would go to; null: add one first. */
  test_method_id: string | null;
};
export type ChannelsHealth = { channels: ChannelHealth[] };
