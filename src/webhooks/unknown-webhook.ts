import { Fault } from '../kit/fault.ts';
import type { WebhookKind } from './contract.ts';

/** There is no such webhook or page source, or it was revoked. */
export function unknownWebhook(kind: WebhookKind): Fault {
  const message = `is not a ${kind} of your organization, or was revoked; see /api/${kind}s`;
  return new Fault('not_found', [{ field: kind, message }]);
}
