import type { ChannelName } from '../people/contract.ts';

/** The state of the channels on the settings page. */
export type ChannelHealth = {
  channel: ChannelName;
  /** Null when it is set up, otherwise a sentence that names the missing setting. */
  unavailable: string | null;
  /** Notifications of pages within the last 24 hours. */
  day: { accepted: number; failed: number; waiting: number; last_accepted_at: string | null };
  /** The viewer's verified contact method that a test would use; null when they have none. */
  test_method_id: string | null;
};
export type ChannelsHealth = { channels: ChannelHealth[] };
