import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { MomentDetail, MomentList } from '../../../src/moments/api-contract.ts';
import { call } from '../api/call.ts';
import { type MomentSearch, momentQuery } from './search.ts';

const AT_ONCE = 50;

export const momentsQuery = (search: MomentSearch) =>
  infiniteQueryOptions({
    queryKey: ['moments', 'list', search],
    queryFn: ({ pageParam }) => {
      const query = momentQuery(search);
      query.set('limit', String(AT_ONCE));
      if (pageParam) query.set('before', pageParam);
      return call<MomentList>('GET', `/api/moments?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.moments.at(-1)?.id : undefined),
  });

/** The newest few unresolved moments of a team. */
export const teamMomentsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['moments', 'team', slug],
    queryFn: () =>
      call<MomentList>(
        'GET',
        `/api/moments?state=open,acknowledged&limit=5&team=${encodeURIComponent(slug)}`,
      ),
  });

export const momentDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['moments', 'one', id],
    queryFn: () => call<MomentDetail>('GET', `/api/moments/${encodeURIComponent(id)}`),
  });
