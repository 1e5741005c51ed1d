import { queryOptions } from '@tanstack/react-query';
import type { CoversForMe } from '../../../src/covers/api-contract.ts';
import { call } from '../api/call.ts';

export const coversForMeQuery = queryOptions({
  queryKey: ['covers', 'for-me'],
  queryFn: () => call<CoversForMe>('GET', '/api/covers'),
  refetchInterval: 60_000,
});
