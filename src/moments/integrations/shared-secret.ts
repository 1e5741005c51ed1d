import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from './adapter.ts';

/** Whether one of the given signatures is the HMAC-SHA256 of the raw body, in hexadecimal. */
export function hasHexSignature(
  { body, secret }: Pick<SignedCall, 'body' | 'secret'>,
  signatures: readonly string[],
): boolean {
  const right = createHmac('sha256', secret).update(body).digest('hex');
  return signatures.some((signature) => isSame(signature.trim().toLowerCase(), right));
}

/** Compares in constant time, which does not reveal the expected value or its length. */
export function isSame(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** For secrets of any form: a sentence about the problem with one, or null. */
export function checkSharedSecret(secret: string): string | null {
  if (!/\S/.test(secret)) return 'is blank; give the secret that the sender signs with';
  if (secret !== secret.trim()) return 'begins or ends with spaces; paste it without them';
  return secret.length <= 1_000
    ? null
    : 'is longer than 1,000 characters; give the secret that the sender signs with';
}
