import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { composeApi, type PreviewBody } from '../../../src/pages/compose-api-contract.ts';
import { send } from '../api/call.ts';

/** Who is on call changes with time, so a preview is valid only briefly. */
export const previewQuery = (body: PreviewBody) =>
  queryOptions({
    queryKey: ['preview', body] as const,
    queryFn: () => send(composeApi.preview, { body }),
    enabled: body.recipient !== '',
    // The people of another recipient must not be shown meanwhile.
    placeholderData: (last, query) => (query?.queryKey[1].recipient === body.recipient ? last : undefined),
    refetchInterval: 30_000,
  });

export const refusedPagesQuery = infiniteQueryOptions({
  queryKey: ['pages', 'refused'],
  queryFn: ({ pageParam }) =>
    send(composeApi.refused, { query: { limit: 30, before: pageParam || undefined } }),
  initialPageParam: '',
  getNextPageParam: (last) => (last.has_more ? last.refused.at(-1)?.id : undefined),
});
