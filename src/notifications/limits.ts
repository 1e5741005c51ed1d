import { CHANNEL, CHANNELS, type ChannelName } from './channels/contract.ts';

/** Window of the limits, in milliseconds. */
export const WINDOW_MS = 60_000;

/** Channels without a limit, for which nothing is counted. */
export const UNLIMITED = CHANNELS.filter((channel) => CHANNEL[channel].mostPerMinute === null);

/** The notifications to one person on one channel within the window: their number, and when the oldest was sent. */
export type Recent = { count: number; oldest: Temporal.Instant };

/**
 * Null if one more may be sent now, otherwise the time when the window has room again. Notifications that are held
 * until then are bundled.
 */
export function heldUntil(channel: ChannelName, recent: Recent | undefined): Temporal.Instant | null {
  const limit = CHANNEL[channel].mostPerMinute;
  if (limit === null || !recent || recent.count < limit) return null;
  return recent.oldest.add({ milliseconds: WINDOW_MS });
}
