import { CHANNEL, type ChannelName } from '../notifications/channels/contract.ts';

/** People who read about somebody's address need to recognize it, not to have it. */
export function shortAddress(channel: ChannelName, address: string): string {
  return CHANNEL[channel].method?.hinted(address) ?? address;
}
