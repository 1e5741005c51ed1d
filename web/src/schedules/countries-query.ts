import { queryOptions } from '@tanstack/react-query';
import { holidaysApi } from '../../../src/calendars/api-contract.ts';
import { send } from '../api/call.ts';

/** The countries whose public holidays are known. They change only with a release. */
export const countriesQuery = queryOptions({
  queryKey: ['holiday-countries'],
  queryFn: () => send(holidaysApi.countries),
  staleTime: Number.POSITIVE_INFINITY,
});
