import { CHANNEL, type ChannelName } from '../notifications/channels/contract.ts';

/** Shortens an address so that people can recognize it but not use it. */
export function shortAddress(channel: ChannelName, address: string): string {
  return CHANNEL[channel].method?.hinted(address) ?? address;
}

/** An address for programs of the organization: whole, unless it contains a secret, as the address of a browser does. */
export function addressForPrograms(channel: ChannelName, address: string): string {
  return CHANNEL[channel].method?.published === false ? shortAddress(channel, address) : address;
}
