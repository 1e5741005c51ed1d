import { queryOptions } from '@tanstack/react-query';
import { momentsApi } from '../../../src/moments/api-contract.ts';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';

const FEW = 6;
/** Shorter queries are not sent to the service. */
const LETTERS = 3;

/** What was found by the letters before the last ones that were typed, but not what was found by other words. */
const before = <Found>(text: string, found: Found | undefined, by: readonly unknown[] = []) =>
  text.startsWith(String(by.at(-1))) ? found : undefined;

/** Pages whose title or text contains these words. */
export function findPages(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['pages', 'find', text],
    queryFn: () => send(pagesApi.list, { query: { state: 'all', limit: FEW, text } }),
    enabled: text.length >= LETTERS,
    placeholderData: (found, query) => before(text, found, query?.queryKey),
  });
}

/** Moments that contain these words or words with these prefixes. */
export function findMoments(query: string) {
  const text = query.trim();
  return queryOptions({
    queryKey: ['moments', 'find', text],
    queryFn: () => send(momentsApi.list, { query: { limit: FEW, text } }),
    enabled: text.length >= LETTERS,
    placeholderData: (found, query) => before(text, found, query?.queryKey),
  });
}
