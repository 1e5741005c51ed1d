import { queryOptions } from '@tanstack/react-query';
import type { TeamDetail, TeamList } from '../../../src/people/team-api-contract.ts';
import { call } from '../api/call.ts';

export const teamsQuery = queryOptions({
  queryKey: ['teams', 'all'],
  queryFn: () => call<TeamList>('GET', '/api/teams'),
  refetchInterval: 60_000,
});

export const teamQuery = (slug: string) =>
  queryOptions({
    queryKey: ['teams', 'one', slug],
    queryFn: () => call<TeamDetail>('GET', `/api/teams/${encodeURIComponent(slug)}`),
  });
