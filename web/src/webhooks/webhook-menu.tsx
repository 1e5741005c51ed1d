import { useQueryClient } from '@tanstack/react-query';
import { type WebhookDetail, webhooksApi } from '../../../src/webhooks/api-contract.ts';
import { send } from '../api/call.ts';
import { RotateOrRevoke } from './rotate-or-revoke.tsx';

/** Rotates the URL of a webhook, or revokes the webhook. */
export function WebhookMenu({ webhook }: { webhook: WebhookDetail }) {
  const client = useQueryClient();
  const { id, name, team } = webhook;
  const params = { id };
  return (
    <RotateOrRevoke
      of={{
        ...{ id, name, team, way: 'URL' },
        async rotate({ oldUntil }) {
          const changed = await send(webhooksApi.rotate, { params, body: { old_until: oldUntil } });
          client.setQueryData(['webhooks', 'one', id], changed);
        },
        revoke: () => send(webhooksApi.revoke, { params }),
        revoked() {
          void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
          void client.invalidateQueries({ queryKey: ['teams'] });
        },
      }}
    />
  );
}
