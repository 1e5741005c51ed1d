import type { ChannelName } from './channels/channel.ts';

/** Window of the limits, in milliseconds. */
export const WINDOW_MS = 60_000;

/**
 * How many notifications one person gets on one channel within a minute before the next ones are bundled (contract,
 * section 6, storms). Null: as many as there are.
 */
export const LIMITS: Record<ChannelName, number | null> = {
  voice: 1,
  sms: 5,
  chat: 20,
  email: 20,
  push: 20,
  webhook: null,
  browser: null,
};

/** What went to one person on one channel within the window: how many, and when the oldest of them left. */
export type Recent = { count: number; oldest: Temporal.Instant };

/**
 * Null when one more may leave now; else when the window has room again. Those held until then leave as one.
 */
export function heldUntil(channel: ChannelName, recent: Recent | undefined): Temporal.Instant | null {
  const limit = LIMITS[channel];
  if (limit === null || !recent || recent.count < limit) return null;
  return recent.oldest.add({ milliseconds: WINDOW_MS });
}
