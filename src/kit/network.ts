import ipaddr from 'ipaddr.js';

/**
 * The network that an address counts for where tries are limited: an IPv6 address by its first 64 bits, since whoever has
 * one has all 2^64 of them; an IPv4 address, also one written as IPv6, by itself.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
