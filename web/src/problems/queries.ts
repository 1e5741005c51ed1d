import { queryOptions } from '@tanstack/react-query';
import { problemsApi } from '../../../src/problems/api-contract.ts';
import { send } from '../api/call.ts';

export const problemListQuery = (state: 'open' | 'closed') =>
  queryOptions({
    queryKey: ['problems', state],
    queryFn: () => send(problemsApi.list, { query: { state } }),
    refetchInterval: 30_000,
  });
