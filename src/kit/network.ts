import ipaddr from 'ipaddr.js';

/**
 * The network that rate limits count an address under. For IPv6 it is the first 64 bits, because one customer usually
 * has all 2^64 addresses below them; for IPv4, also written as IPv6, it is the whole address.
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
