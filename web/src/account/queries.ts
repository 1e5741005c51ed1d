import { queryOptions } from '@tanstack/react-query';
import { accountApi, twoFactorApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => send(accountApi.show),
});

export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: () => send(twoFactorApi.show),
});
