import type { ChannelName } from './contract.ts';

/** Whoever reads about somebody's address needs to recognise it, not to have it. */
export function shortAddress(channel: ChannelName, address: string): string {
  if (channel === 'sms' || channel === 'voice') return address.replace(/^(\+\d{2})\d+(\d{4})$/, '$1 ••• $2');
  if (channel === 'webhook' || channel === 'push') return URL.parse(address)?.host ?? '…';
  return address;
}
