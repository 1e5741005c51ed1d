import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { MomentList } from '../../../src/moments/api-contract.ts';
import type { PageList } from '../../../src/pages/api-contract.ts';
import { call } from '../api/call.ts';

const FEW = '6';
/** Shorter queries are not sent to the service. */
const LETTERS = 3;

/** Pages whose title or text contains these words. */
export function findPages(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['pages', 'find', text],
    queryFn: () =>
      call<PageList>('GET', `/api/pages?${new URLSearchParams({ state: 'all', limit: FEW, text })}`),
    enabled: text.length >= LETTERS,
    placeholderData: keepPreviousData,
  });
}

/** Moments that contain these words or words with these prefixes. */
export function findMoments(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['moments', 'find', text],
    queryFn: () => call<MomentList>('GET', `/api/moments?${new URLSearchParams({ limit: FEW, text })}`),
    enabled: text.length >= LETTERS,
    placeholderData: keepPreviousData,
  });
}
