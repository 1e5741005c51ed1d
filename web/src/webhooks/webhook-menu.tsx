import { useQueryClient } from '@tanstack/react-query';
import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { call } from '../api/call.ts';
import { RotateOrRevoke } from './rotate-or-revoke.tsx';

/** Rotates the URL of a webhook, or revokes the webhook. */
export function WebhookMenu({ webhook }: { webhook: WebhookDetail }) {
  const client = useQueryClient();
  const { id, name, team } = webhook;
  const path = `/api/webhooks/${encodeURIComponent(id)}`;
  return (
    <RotateOrRevoke
      of={{
        ...{ id, name, team, way: 'URL' },
        async rotate({ oldUntil }) {
          const changed = await call<WebhookDetail>('POST', `${path}/rotate`, { old_until: oldUntil });
          client.setQueryData(['webhooks', 'one', id], changed);
        },
        revoke: () => call('DELETE', path),
        revoked() {
          void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
          void client.invalidateQueries({ queryKey: ['teams'] });
        },
      }}
    />
  );
}
