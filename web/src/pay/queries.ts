import { queryOptions } from '@tanstack/react-query';
import { payApi } from '../../../src/pay/api-contract.ts';
import { send } from '../api/call.ts';

export const periodsQuery = queryOptions({
  queryKey: ['pay', 'periods'],
  queryFn: () => send(payApi.periods),
});
export const tablesQuery = queryOptions({ queryKey: ['pay', 'tables'], queryFn: () => send(payApi.tables) });
export const payPeopleQuery = queryOptions({
  queryKey: ['pay', 'people'],
  queryFn: () => send(payApi.people),
});

export const periodQuery = (id: string) =>
  queryOptions({
    queryKey: ['pay', 'period', id],
    queryFn: () => send(payApi.period, { params: { id } }),
    staleTime: 30_000,
  });

/** Each look at somebody else's statement is recorded, so it is not read again by itself. */
export const statementQuery = (id: string, person: string) =>
  queryOptions({
    queryKey: ['pay', 'statement', id, person],
    queryFn: () => send(payApi.statement, { params: { id, person } }),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  });
