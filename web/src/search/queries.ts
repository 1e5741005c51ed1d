import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { momentsApi } from '../../../src/moments/api-contract.ts';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';

const FEW = 6;
/** Shorter queries are not sent to the service. */
const LETTERS = 3;

/** Pages whose title or text contains these words. */
export function findPages(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['pages', 'find', text],
    queryFn: () => send(pagesApi.list, { query: { state: 'all', limit: FEW, text } }),
    enabled: text.length >= LETTERS,
    placeholderData: keepPreviousData,
  });
}

/** Moments that contain these words or words with these prefixes. */
export function findMoments(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['moments', 'find', text],
    queryFn: () => send(momentsApi.list, { query: { limit: FEW, text } }),
    enabled: text.length >= LETTERS,
    placeholderData: keepPreviousData,
  });
}
