import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { stored } from '../language/contract.ts';

/** A public address that is internal in a cloud: the Azure agent on every virtual machine. */
const INSIDE_A_CLOUD = new Set(['168.63.129.16']);
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address is on the public internet. False for private, loopback, link-local, carrier-grade NAT,
 * multicast, documentation and reserved ranges, and for IPv6 forms that embed an IPv4 address (mapped, 6to4, Teredo).
 * An address with NAT64's well-known prefix is judged by the IPv4 address inside, because IPv6-only networks reach IPv4
 * through it.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.match(NAT64)) return isPublicAddress(parsed.toByteArray().slice(12).join('.'));
    // Only 2000::/3 has ever been allocated; the library knows no range for others such as ::/96.
    return parsed.range() === 'unicast' && parsed.match(ipaddr.parseCIDR('2000::/3'));
  }
  return parsed.range() === 'unicast' && !INSIDE_A_CLOUD.has(parsed.toString());
}

const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g;
const MAYBE_IPV6 = /\[?[\da-f]*:[\da-f:]+\]?(?::\d{1,5})?/gi;

/** Removes addresses from the message of a failed connection, because its readers may not learn about our network. */
export function withoutAddresses(message: string): string {
  return message
    .replace(IPV4, 'its address')
    .replace(MAYBE_IPV6, (found) => (isIPv6WithPort(found) ? 'its address' : found));
}

function isIPv6WithPort(text: string): boolean {
  const bare = text.replace(/^\[/, '').replace(/\](?::\d+)?$/, '');
  return isIP(bare) === 6 || isIP(bare.replace(/:\d{1,5}$/, '')) === 6;
}

/** Thrown during a connect, before the first packet, for a host that must not be reached. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  /** Contains only the host name: people who may enter URLs must not learn which internal address it resolves to. */
  constructor(host: string) {
    super(host);
    this.name = 'PrivateAddressError';
  }
}

/**
 * A `lookup` for sockets that refuses hosts with any address outside the public internet. The socket connects to
 * exactly the addresses that were checked here, so that a second, different DNS answer cannot bypass the check.
 */
export function publicOnlyLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const inside = addresses.find(({ address }) => !isPublicAddress(address));
      const first = addresses[0];
      if (inside || !first) return callback(new PrivateAddressError(hostname), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Checks a URL whose host is an IP address, because sockets do not look those up. The URL parser has already normalized
 * decimal, hex, octal and short forms. Null when the address is public or the host is a name.
 */
export function privateLiteral(url: URL): PrivateAddressError | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) && !isPublicAddress(host) ? new PrivateAddressError(host) : null;
}

/** The error for people if an address was refused; `where` is the message of the `PrivateAddressError`. */
export function privateSentence(where: string): string {
  return stored(
    'The address leads to {where}, which is not on the public internet; give a public address, or set ALLOW_PRIVATE_WEBHOOKS=true.',
    { where },
  );
}
