import { randomBytes } from 'node:crypto';
import type { Channel, ChannelName } from './channel.ts';
import { accepted, makeChannel } from './outcome.ts';

/** Accepts every message and sends none. For the demo, whose people do not exist. */
export function muteChannel(name: ChannelName): Channel {
  return makeChannel(name, null, async () => accepted(`example-${randomBytes(8).toString('hex')}`));
}
