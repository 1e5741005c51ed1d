import { queryOptions } from '@tanstack/react-query';
import { peopleApi } from '../../../src/people/person-contract.ts';
import { send } from '../api/call.ts';

export const overviewQuery = queryOptions({
  queryKey: ['people', 'overview'],
  queryFn: () => send(peopleApi.overview),
  refetchInterval: 60_000,
});

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'one', id],
    queryFn: () => send(peopleApi.find, { params: { id } }),
  });

/** The consequences of disabling a person. */
export const leavingQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'leaving', id],
    queryFn: () => send(peopleApi.leaving, { params: { id } }),
    staleTime: 0,
  });
