import { queryOptions } from '@tanstack/react-query';
import type { ProblemList } from '../../../src/problems/api-contract.ts';
import { call } from '../api/call.ts';

export const problemListQuery = (state: 'open' | 'closed') =>
  queryOptions({
    queryKey: ['problems', state],
    queryFn: () => call<ProblemList>('GET', `/api/problems?state=${state}`),
    refetchInterval: 30_000,
  });
