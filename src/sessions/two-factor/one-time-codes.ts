import { randomInt } from 'node:crypto';
import { sha256 } from '../../kit/sealing.ts';

/** How many seconds an app shows a code. */
const STEP_SECONDS = 30;

/** A new secret in base32, for an authenticator app. */
export async function newSecret(): Promise<string> {
  const { generateSecret } = await import('otplib');
  return generateSecret();
}

/** The URL that an app reads from a QR code. */
export async function secretUri(secret: string, email: string, organization: string): Promise<string> {
  const { generateURI } = await import('otplib');
  return generateURI({ issuer: `Tocsin ${organization}`.replaceAll(':', ' '), label: email, secret });
}

/**
 * The step of a code that is valid at `at`, otherwise null. Codes of the neighbouring steps are valid, because the
 * clocks of phones differ. A step that was used, and every earlier one, is never valid again.
 */
export async function stepOfCode(
  secret: string,
  code: string,
  at: Temporal.Instant,
  lastStep: number,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const { verify } = await import('otplib');
  const epoch = Math.floor(at.epochMilliseconds / 1_000);
  const now = Math.floor(epoch / STEP_SECONDS);
  for (const step of [now, now - 1, now + 1]) {
    if (step <= lastStep) continue;
    const { valid } = await verify({ secret, token: code, epoch: step * STEP_SECONDS });
    if (valid) return step;
  }
  return null;
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const HOW_MANY = 10;

/** Ten codes of some 50 random bits for a lost phone, for example `k7d2m-9xq4t`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => {
    const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** The hash of a recovery code; null for text of another form. Codes are random, so the hash needs no salt. */
export function recoveryHash(userId: string, code: string): Buffer | null {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z0-9]{10}$/.test(plain) ? sha256(`${userId} ${plain}`) : null;
}
