import Holidays, { type HolidaysTypes } from 'date-holidays';
import type { HolidayCountry, HolidayDay } from './api-contract.ts';

/**
 * The rules of date-holidays, which take a tenth of a second and 45 MB to load. Imported only by the thread of
 * `country-worker.ts`.
 */

/** A country, or a part of it, by codes of `allCountries`. */
export type HolidayPlace = { country: string; region: string | null };

export type CountryQuestion =
  | { kind: 'countries' }
  /** `years`: the first and the last. */
  | { kind: 'days'; place: HolidayPlace; years: { first: number; last: number } };

const LANGUAGE = 'en';
/** A date is a holiday if more than this much of it is one. Half a day, such as Christmas Eve from noon, is not. */
const MORE_THAN_HOURS = 12;
const MAX_NAME = 200;
/** Between the codes of a region and of a part of it, which do not contain it. */
const BETWEEN = '-';

/** All countries with their parts, and the parts of these, by name. */
export function allCountries(): HolidayCountry[] {
  const known = new Holidays();
  const parts = (country: string) =>
    entries(known.getStates(country, LANGUAGE)).flatMap(({ code, name }) => [
      { code, name },
      ...entries(known.getRegions(country, code, LANGUAGE)).map((part) => ({
        code: `${code}${BETWEEN}${part.code}`,
        name: `${name}, ${part.name}`,
      })),
    ]);
  return entries(known.getCountries(LANGUAGE))
    .map(({ code, name }) => ({ code, name, regions: parts(code).sort(byName) }))
    .sort(byName);
}

/** The public holidays of these years in order of date. A date may appear twice. */
export function daysOf({ country, region }: HolidayPlace, first: number, last: number): HolidayDay[] {
  const [state, part] = region?.split(BETWEEN) ?? [];
  const place = { country, ...(state ? { state } : {}), ...(part ? { region: part } : {}) };
  const known = new Holidays(place, { types: ['public'] });
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return years
    .flatMap((year) => known.getHolidays(year, LANGUAGE))
    .flatMap(datesOf)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** `date` is the local time at which the holiday begins. */
function datesOf({ date, start, end, name }: HolidaysTypes.Holiday): HolidayDay[] {
  const first = Temporal.PlainDate.from(date.slice(0, 10));
  const from = Number(date.slice(11, 13));
  const to = from + (end.getTime() - start.getTime()) / 3_600_000;
  return Array.from({ length: Math.ceil(to / 24) }, (_, index) => index)
    .filter((index) => Math.min(to, (index + 1) * 24) - Math.max(from, index * 24) > MORE_THAN_HOURS)
    .map((days) => ({ date: first.add({ days }).toString(), name: name.slice(0, MAX_NAME) }));
}

function entries(names: Record<string, string> | undefined): { code: string; name: string }[] {
  return Object.entries(names ?? {}).map(([code, name]) => ({ code, name }));
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, LANGUAGE);
}
