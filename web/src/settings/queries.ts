import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { channelsApi } from '../../../src/notifications/channels-api-contract.ts';
import { providersApi } from '../../../src/notifications/providers-api-contract.ts';
import { organizationApi } from '../../../src/people/organization-api-contract.ts';
import { systemApi } from '../../../src/worker/api-contract.ts';
import { send } from '../api/call.ts';

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: () => send(organizationApi.find),
});

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: () => send(channelsApi.list),
  refetchInterval: 30_000,
});

/** Only for owners and admins. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: () => send(providersApi.list),
});

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => send(systemApi.show),
  refetchInterval: 5_000,
});

export const auditQuery = (action: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', action],
    queryFn: ({ pageParam }) =>
      send(organizationApi.audit, {
        query: { limit: 50, ...(action ? { action } : {}), ...(pageParam ? { before: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? String(last.entries.at(-1)?.id) : undefined),
  });
