import { createHmac, timingSafeEqual } from 'node:crypto';

/** Requests further from the current time are refused, because they may be replayed. */
const TOLERANCE_SECONDS = 300;

/** Verifies Slack's v0 signature over the raw bytes, in constant time, and the age of the request. */
export function isSlackSignature(
  given: { signature: string | undefined; timestamp: string | undefined; raw: Buffer },
  signingSecret: string,
  now: Temporal.Instant,
): boolean {
  const { signature = '', timestamp = '', raw } = given;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.epochMilliseconds / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(raw).digest('hex');
  const expected = Buffer.from(`v0=${digest}`);
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
