import { CHANNEL, type ChannelName } from '../notifications/channels/contract.ts';

/** Shortens an address so that people can recognize it but not use it. */
export function shortAddress(channel: ChannelName, address: string): string {
  return CHANNEL[channel].method?.hinted(address) ?? address;
}
