import { randomBytes } from 'node:crypto';
import type { Channel, ChannelName } from './channel.ts';
import { accepted, makeChannel } from './outcome.ts';

/** Accepts every message and sends none. For the demo, whose people do not exist. */
export function muteChannel(name: ChannelName): Channel {
  const accept = async () => accepted(`example-${randomBytes(8).toString('hex')}`);
  return makeChannel(name, null, accept, accept);
}
