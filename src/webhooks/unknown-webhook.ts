import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { WebhookKind } from './contract.ts';

/** There is no such webhook or page source, or it was revoked. */
export function unknownWebhook(kind: WebhookKind): Fault {
  const message =
    kind === 'source'
      ? t('is not a source of your organization, or was revoked; see /api/sources')
      : t('is not a webhook of your organization, or was revoked; see /api/webhooks');
  return new Fault('not_found', [{ field: kind, message }]);
}
