import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from './adapter.ts';

/** How far the signing time may be from now. Older calls may be replays. */
const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, base64, one or more `v1,<signature>` separated by blanks.
 * Unlike the official client, it takes the time as a value and reads the body as bytes.
 */
export function hasStandardSignature({ headers, body, secret, now }: SignedCall): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  const key = SECRET.exec(secret)?.[1];
  if (!id || !timestamp || !signatures || !key || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - now.epochMilliseconds / 1_000) > TOLERANCE_SECONDS) return false;
  const right = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  return signatures.split(' ').some((signature) => equal(signature, `v1,${right}`));
}

/** A sentence about the problem with a secret, or null. */
export function checkStandardSecret(secret: string): string | null {
  const key = SECRET.exec(secret)?.[1];
  const bytes = key ? Buffer.from(key, 'base64').length : 0;
  return bytes >= 24 && bytes <= 64
    ? null
    : 'is not a Standard Webhooks secret; give whsec_ followed by 24 to 64 bytes in base64';
}

function equal(given: string, right: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
