import { queryOptions } from '@tanstack/react-query';
import type { Account, TwoFactorState } from '../../../src/sessions/api-contract.ts';
import { call } from '../api/call.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call<Account>('GET', '/api/account'),
});

export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: () => call<TwoFactorState>('GET', '/api/two-factor'),
});
