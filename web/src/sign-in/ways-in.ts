import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { WaysIn } from '../../../src/sessions/api-contract.ts';
import { call } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => call<WaysIn>('GET', '/api/sign-in'),
  staleTime: 60_000,
});

/** Call after a sign-in: data from before belongs to no session and is removed. */
export function useArrival(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  };
}
