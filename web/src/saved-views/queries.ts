import { queryOptions } from '@tanstack/react-query';
import { type List, viewsApi } from '../../../src/views/api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

export const savedViewsQuery = (list: List) =>
  queryOptions({
    queryKey: ['saved-views', list],
    queryFn: () => send(viewsApi.list, { query: { list } }),
    ...firstAnswer(viewsApi.list, { query: { list } }),
    staleTime: 60_000,
  });
