import { queryOptions } from '@tanstack/react-query';
import { holidaysApi } from '../../../src/calendars/api-contract.ts';
import { locale } from '../../../src/language/contract.ts';
import { send } from '../api/call.ts';

/** The countries whose public holidays are known, by their names in the viewer's language. They change only with a release. */
export const countriesQuery = queryOptions({
  queryKey: ['holiday-countries'],
  queryFn: async () => {
    const { countries } = await send(holidaysApi.countries);
    const names = new Intl.DisplayNames(locale(), { type: 'region', fallback: 'none' });
    const order = new Intl.Collator(locale());
    return {
      countries: countries
        .map((country) => ({ ...country, name: names.of(country.code) ?? country.name }))
        .toSorted((a, b) => order.compare(a.name, b.name)),
    };
  },
  staleTime: Number.POSITIVE_INFINITY,
});
