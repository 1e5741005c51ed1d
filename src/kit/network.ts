import ipaddr from 'ipaddr.js';

/**
 * The network by which rate limits count an address. For IPv6, it is the first 64 bits, because one customer usually
 * has all 2^64 addresses below them. For IPv4, including IPv4 written as IPv6, it is the whole address.
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
