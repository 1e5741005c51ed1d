import { infiniteQueryOptions } from '@tanstack/react-query';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';
import { type PagesSearch, pagesParameters } from './pages-search.ts';

/** The pages that match a search, newest first. The key is the search, because “Last hour” is another time at each call. */
export const foundPagesQuery = (search: PagesSearch) =>
  infiniteQueryOptions({
    queryKey: ['pages', 'list', search],
    queryFn: ({ pageParam }) =>
      send(pagesApi.list, {
        query: { ...pagesParameters(search), limit: 30, before: pageParam || undefined },
      }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.pages.at(-1)?.id : undefined),
  });
