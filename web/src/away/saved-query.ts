import { queryOptions } from '@tanstack/react-query';
import { onCallApi } from '../../../src/schedules/api-contract.ts';
import { send } from '../api/call.ts';

export const savedOnCallQuery = queryOptions({
  queryKey: ['saved-on-call'],
  queryFn: () => send(onCallApi.saved),
  refetchInterval: 30_000,
  retry: false,
});
