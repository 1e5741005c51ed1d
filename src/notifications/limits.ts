import { CHANNEL, CHANNELS, type ChannelName } from './channels/contract.ts';

/** Window of the limits, in milliseconds. */
export const WINDOW_MS = 60_000;

/** Channels that have no limit, so that nothing about them needs to be counted. */
export const UNLIMITED = CHANNELS.filter((channel) => CHANNEL[channel].mostPerMinute === null);

/** What went to one person on one channel within the window: how many, and when the oldest of them left. */
export type Recent = { count: number; oldest: Temporal.Instant };

/**
 * Null when one more may leave now; else when the window has room again. Those held until then leave as one.
 */
export function heldUntil(channel: ChannelName, recent: Recent | undefined): Temporal.Instant | null {
  const limit = CHANNEL[channel].mostPerMinute;
  if (limit === null || !recent || recent.count < limit) return null;
  return recent.oldest.add({ milliseconds: WINDOW_MS });
}
