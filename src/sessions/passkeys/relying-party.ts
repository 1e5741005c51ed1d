import { isIP } from 'node:net';

/** Who we are to a browser that keeps passkeys: a host's name, and the origin of our pages. */
export type RelyingParty = { id: string; origin: string };

/** Null where browsers allow no passkeys: without HTTPS (but on localhost), and at addresses without a name. */
export function relyingParty(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const named = isIP(hostname) === 0 && !hostname.startsWith('[');
  const safe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return named && safe ? { id: hostname, origin } : null;
}
