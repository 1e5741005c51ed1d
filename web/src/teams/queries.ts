import { queryOptions } from '@tanstack/react-query';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { firstAnswer } from '../api/first-answers.ts';

export const teamsQuery = queryOptions({
  queryKey: ['teams', 'all'],
  queryFn: () => send(teamsApi.list),
  ...firstAnswer(teamsApi.list),
  refetchInterval: 60_000,
});

export const teamQuery = (slug: string) =>
  queryOptions({
    queryKey: ['teams', 'one', slug],
    queryFn: () => send(teamsApi.find, { params: { id: slug } }),
  });
