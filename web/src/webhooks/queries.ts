import { queryOptions } from '@tanstack/react-query';
import { webhooksApi } from '../../../src/webhooks/api-contract.ts';
import { send } from '../api/call.ts';

/** The webhooks of one team, by its slug, or of all teams. */
export const webhooksQuery = (team: string | null) =>
  queryOptions({
    queryKey: ['webhooks', 'list', team],
    queryFn: () => send(webhooksApi.list, { query: { team: team ?? undefined } }),
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => send(webhooksApi.show, { params: { id } }),
  });

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: () => send(webhooksApi.integrations),
  staleTime: Number.POSITIVE_INFINITY,
});
