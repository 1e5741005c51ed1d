import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CallDetail, CallList } from '../../../src/webhooks/call-contract.ts';
import { call } from '../api/call.ts';
import type { ReceivedSearch } from './search.ts';

const AT_ONCE = 50;

export const receivedQuery = (search: ReceivedSearch) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', search],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({ ...search, limit: String(AT_ONCE) });
      if (pageParam) query.set('before', pageParam);
      return call<CallList>('GET', `/api/notifications?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.notifications.at(-1)?.id : undefined),
  });

/** A queued call changes within a second. */
const WHILE_QUEUED_MS = 1_000;

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', id],
    queryFn: () => call<CallDetail>('GET', `/api/notifications/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? WHILE_QUEUED_MS : false),
  });
