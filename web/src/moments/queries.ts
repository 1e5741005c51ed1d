import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { momentsApi } from '../../../src/moments/api-contract.ts';
import { send } from '../api/call.ts';
import { type MomentSearch, momentQuery } from './search.ts';

const AT_ONCE = 50;

export const momentsQuery = (search: MomentSearch) =>
  infiniteQueryOptions({
    queryKey: ['moments', 'list', search],
    queryFn: ({ pageParam }) =>
      send(momentsApi.list, {
        query: { ...momentQuery(search), limit: AT_ONCE, ...(pageParam ? { before: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.moments.at(-1)?.id : undefined),
  });

/** The newest few unresolved moments of a team. */
export const teamMomentsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['moments', 'team', slug],
    queryFn: () =>
      send(momentsApi.list, { query: { state: ['open', 'acknowledged'], limit: 5, team: slug } }),
  });

export const momentDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['moments', 'one', id],
    queryFn: () => send(momentsApi.find, { params: { id } }),
  });
