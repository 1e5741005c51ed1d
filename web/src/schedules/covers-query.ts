import { queryOptions } from '@tanstack/react-query';
import { coversApi } from '../../../src/covers/api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

export const coversForMeQuery = queryOptions({
  queryKey: ['covers', 'for-me'],
  queryFn: () => send(coversApi.forMe),
  ...firstAnswer(coversApi.forMe),
  refetchInterval: 60_000,
});
