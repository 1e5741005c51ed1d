import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/**
 * With or without padding, of which no secret has more than two characters. A single character after the last group of four is
 * ignored, whatever it is, as receivers with the library of Standard Webhooks ignore it.
 */
const BASE64 = /^(?=[\s\S]{4})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}|[^=])?={0,2}$/;

/**
 * The value of `webhook-signature` by Standard Webhooks, for a message with this id, timestamp in seconds and body. Null if the
 * secret is not base64, with or without `whsec_` before it.
 */
export function signature(secret: string, id: string, timestamp: string, body: string): string | null {
  const key = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!BASE64.test(key)) return null;
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`);
  return `v1,${hmac.digest('base64')}`;
}
