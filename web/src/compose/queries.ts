import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PagePreview, PreviewBody, RefusedPages } from '../../../src/pages/compose-api-contract.ts';
import { call } from '../api/call.ts';

/** Who is on call changes with time, so a preview is valid only briefly. */
export const previewQuery = (body: PreviewBody) =>
  queryOptions({
    queryKey: ['preview', body],
    queryFn: () => call<PagePreview>('POST', '/api/pages/preview', body),
    enabled: body.recipient !== '',
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const refusedPagesQuery = infiniteQueryOptions({
  queryKey: ['pages', 'refused'],
  queryFn: ({ pageParam }) =>
    call<RefusedPages>('GET', `/api/refused-pages?limit=30${pageParam === '' ? '' : `&before=${pageParam}`}`),
  initialPageParam: '',
  getNextPageParam: (last) => (last.has_more ? last.refused.at(-1)?.id : undefined),
});
