import type { Sealing } from '../kit/sealing.ts';

const PURPOSE = 'acknowledge';
const PREFIX = 'delivery_';
/** Long enough to return from a long weekend, short enough that an old email is harmless. */
const VALID_SECONDS = 7 * 24 * 60 * 60;

/**
 * The signed part of an acknowledge link: `<delivery>-<expiry>-<signature>`. The delivery identifies the person and the
 * page.
 */
export function acknowledgeToken(sealing: Sealing, deliveryId: string, at: Temporal.Instant): string {
  const expiry = Math.floor(at.epochMilliseconds / 1_000) + VALID_SECONDS;
  const content = `${deliveryId.slice(PREFIX.length)}-${expiry.toString(36)}`;
  return `${content}-${sealing.sign(PURPOSE, content)}`;
}

export type ReadToken = { deliveryId: string; expired: boolean };

/** The delivery of a link; null if the signature is wrong. */
export function readAcknowledgeToken(
  sealing: Sealing,
  token: string,
  now: Temporal.Instant,
): ReadToken | null {
  const match = /^([0-9a-z]{26})-([0-9a-z]{1,9})-([\w-]{22})$/.exec(token);
  if (!match) return null;
  const [, suffix, expiry, signature] = match as unknown as [string, string, string, string];
  if (!sealing.verify(PURPOSE, `${suffix}-${expiry}`, signature)) return null;
  return {
    deliveryId: PREFIX + suffix,
    expired: Number.parseInt(expiry, 36) * 1_000 < now.epochMilliseconds,
  };
}

export function acknowledgeUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/a/${token}`;
}

export function pageUrl(publicUrl: string, pageId: string): string {
  return `${publicUrl}/pages/${pageId}`;
}
