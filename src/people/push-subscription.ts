import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { PushSubscriptionBody } from './push-api-contract.ts';

/** The most browsers of one person that get push notifications. */
export const MOST_SUBSCRIPTIONS = 20;

/** RFC 8291: an uncompressed point on P-256 and a secret of 16 bytes. Nothing can be encrypted for other keys. */
export function subscriptionProblems({ keys }: PushSubscriptionBody): Detail[] {
  const point = Buffer.from(keys.p256dh, 'base64url');
  const problems: Detail[] = [];
  if (point.length !== 65 || point[0] !== 4)
    problems.push({
      field: 'keys.p256dh',
      message: t('is not a public key on P-256 in URL-safe base64; give the one that the browser made'),
    });
  if (Buffer.from(keys.auth, 'base64url').length !== 16)
    problems.push({
      field: 'keys.auth',
      message: t('is not a secret of 16 bytes in URL-safe base64; give the one that the browser made'),
    });
  return problems;
}
