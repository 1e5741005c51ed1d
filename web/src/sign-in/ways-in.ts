import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { signInApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => send(signInApi.ways),
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
