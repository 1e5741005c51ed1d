import { queryOptions } from '@tanstack/react-query';
import { noticesApi } from '../../../src/notices/api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

/** The viewer's notices. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: () => send(noticesApi.list),
  ...firstAnswer(noticesApi.list),
  staleTime: 60_000,
});
