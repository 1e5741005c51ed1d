import { queryOptions } from '@tanstack/react-query';
import type { WebhookDetail, WebhookShown } from '../../../src/webhooks/api-contract.ts';
import { call } from '../api/call.ts';

export type Integration = {
  name: string;
  /** The tool can sign its calls. */
  signs: boolean;
  /** A filter decides which of the tool's issues become moments. */
  filters: boolean;
};

/** The webhooks of one team, by its slug, or of all teams. */
export const webhooksQuery = (team: string | null) =>
  queryOptions({
    queryKey: ['webhooks', 'list', team],
    queryFn: () =>
      call<{ webhooks: WebhookShown[] }>(
        'GET',
        team === null ? '/api/webhooks' : `/api/webhooks?team=${encodeURIComponent(team)}`,
      ),
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => call<WebhookDetail>('GET', `/api/webhooks/${encodeURIComponent(id)}`),
  });

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: () => call<{ integrations: Integration[] }>('GET', '/api/integrations'),
  staleTime: Number.POSITIVE_INFINITY,
});
