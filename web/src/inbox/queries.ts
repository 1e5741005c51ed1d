import { queryOptions } from '@tanstack/react-query';
import type { NoticeList } from '../../../src/notices/api-contract.ts';
import { call } from '../api/call.ts';

/** The viewer's notices. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: () => call<NoticeList>('GET', '/api/notices'),
  staleTime: 60_000,
});
