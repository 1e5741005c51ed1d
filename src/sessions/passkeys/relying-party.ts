import { isIP } from 'node:net';

/** How browsers identify this installation for passkeys: its host name and its origin. */
export type RelyingParty = { id: string; origin: string };

/** Null where browsers allow no passkeys: without HTTPS, except on localhost, and at IP addresses. */
export function relyingParty(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const named = isIP(hostname) === 0 && !hostname.startsWith('[');
  const safe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return named && safe ? { id: hostname, origin } : null;
}
