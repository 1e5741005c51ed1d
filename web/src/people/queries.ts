import { queryOptions } from '@tanstack/react-query';
import type { Leaving, PeopleOverview, PersonDetail } from '../../../src/people/person-contract.ts';
import { call } from '../api/call.ts';

const path = (id: string) => `/api/people/${encodeURIComponent(id)}`;

export const overviewQuery = queryOptions({
  queryKey: ['people', 'overview'],
  queryFn: () => call<PeopleOverview>('GET', '/api/people/overview'),
  refetchInterval: 60_000,
});

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'one', id],
    queryFn: () => call<PersonDetail>('GET', path(id)),
  });

/** The consequences of disabling a person. */
export const leavingQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'leaving', id],
    queryFn: () => call<Leaving>('GET', `${path(id)}/leaving`),
    staleTime: 0,
  });
