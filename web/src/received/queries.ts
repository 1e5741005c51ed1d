import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callsApi } from '../../../src/webhooks/call-contract.ts';
import { send } from '../api/call.ts';
import type { ReceivedSearch } from './search.ts';

const AT_ONCE = 50;

export const receivedQuery = (search: ReceivedSearch) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', search],
    queryFn: ({ pageParam }) =>
      send(callsApi.list, { query: { ...search, limit: AT_ONCE, before: pageParam || undefined } }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.notifications.at(-1)?.id : undefined),
  });

/** A queued call changes within a second. */
const WHILE_QUEUED_MS = 1_000;

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', id],
    queryFn: () => send(callsApi.show, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? WHILE_QUEUED_MS : false),
  });
