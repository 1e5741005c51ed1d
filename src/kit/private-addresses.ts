import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by their number, and yet the inside of a cloud: Azure's agent on every virtual machine. */
const INSIDE_A_CLOUD = new Set(['168.63.129.16']);
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, carrier, multicast,
 * documentation and reserved ranges do not, nor do IPv6 forms that wrap an IPv4 address (mapped, 6to4, Teredo).
 * NAT64's well-known prefix counts as the address inside it: networks with IPv6 alone reach IPv4 through it.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.match(NAT64)) return isPublicAddress(parsed.toByteArray().slice(12).join('.'));
    // 2000::/3 is all that has ever been given out; ::/96 and its like have no range of their own.
    return parsed.range() === 'unicast' && parsed.match(ipaddr.parseCIDR('2000::/3'));
  }
  return parsed.range() === 'unicast' && !INSIDE_A_CLOUD.has(parsed.toString());
}

const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g;
const MAYBE_IPV6 = /\[?[\da-f]*:[\da-f:]+\]?(?::\d{1,5})?/gi;

/** The message of a failed connection without the addresses that it names: who reads it may not know our network. */
export function withoutAddresses(message: string): string {
  return message
    .replace(IPV4, 'its address')
    .replace(MAYBE_IPV6, (found) => (isIPv6WithPort(found) ? 'its address' : found));
}

function isIPv6WithPort(text: string): boolean {
  const bare = text.replace(/^\[/, '').replace(/\](?::\d+)?$/, '');
  return isIP(bare) === 6 || isIP(bare.replace(/:\d{1,5}$/, '')) === 6;
}

/** Raised inside a connect, before the first packet, for a host that must not be reached. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  /** Tells the name alone: what it leads to inside is nobody's business who may only write URLs. */
  constructor(host: string) {
    super(host);
    this.name = 'PrivateAddressError';
  }
}

/**
 * A `lookup` for sockets that refuses hosts with any address outside the public internet. The socket connects to
 * exactly the addresses that were checked here, so that a second, different DNS answer cannot get past it.
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
 * The same for a URL whose host is an address already: sockets do not look those up. WHATWG parsing has turned
 * every spelling (decimal, hex, octal, short) into the usual one.
 */
export function privateLiteral(url: URL): PrivateAddressError | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) && !isPublicAddress(host) ? new PrivateAddressError(host) : null;
}

/** What a person reads when an address was refused; `where` is the message of the error. */
export function privateSentence(where: string): string {
  return `The address leads to ${where}, which is not on the public internet; set ALLOW_PRIVATE_WEBHOOKS=true if that is meant.`;
}
