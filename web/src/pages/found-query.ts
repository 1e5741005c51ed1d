import { infiniteQueryOptions } from '@tanstack/react-query';
import type { PageList } from '../../../src/pages/api-contract.ts';
import { call } from '../api/call.ts';
import { type PagesSearch, pagesParameters } from './pages-search.ts';

/** The pages that match a search, newest first. The key is the search, because “Last hour” is another time at each call. */
export const foundPagesQuery = (search: PagesSearch) =>
  infiniteQueryOptions({
    queryKey: ['pages', 'list', search],
    queryFn: ({ pageParam }) =>
      call<PageList>(
        'GET',
        `/api/pages?${pagesParameters(search)}&limit=30${pageParam === '' ? '' : `&before=${pageParam}`}`,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.pages.at(-1)?.id : undefined),
  });
