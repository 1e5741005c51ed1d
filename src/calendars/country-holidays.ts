import type { Detail } from '../kit/fault.ts';
import { createTurns } from '../kit/turns.ts';
import { t } from '../language/contract.ts';
import type { HolidayCountry, HolidayDay } from './api-contract.ts';
import type { CountryQuestion, HolidayPlace } from './country-days.ts';
import { inThread } from './thread.ts';

export type { HolidayPlace } from './country-days.ts';

/** Loading the rules and computing a few years takes some tenths of a second. */
const DEADLINE_MS = 30_000;
const MOST_MEGABYTES = 256;
/** Threads that hold the rules, of this process. */
const turns = createTurns(1);
/** Requests that are being answered or waiting. A list is checked once a day, so more would be a flood. */
const MOST_OPEN = 10;
let open = 0;
/** The regions that an error lists. Countries have up to a hundred. */
const MOST_NAMED = 30;

let countries: Promise<HolidayCountry[]> | null = null;

/**
 * The countries whose public holidays are known, by name. They are computed once, when they are first needed.
 * @throws Error if the thread fails; the next call tries again
 */
export function listCountries(): Promise<HolidayCountry[]> {
  countries ??= inTurn<HolidayCountry[]>({ kind: 'countries' }).then((answer) => {
    if (!('error' in answer)) return answer;
    countries = null;
    throw new Error(`The countries with known holidays cannot be listed: ${answer.error}`);
  });
  return countries;
}

/** The public holidays of a place from one year to another. A date may appear twice. */
export function findCountryDays(
  place: HolidayPlace,
  years: { first: number; last: number },
): Promise<HolidayDay[] | { error: string }> {
  return inTurn<HolidayDay[]>({ kind: 'days', place, years });
}

/** Finds the place with these codes, in any case, or returns the problem with them. */
export function readPlace(
  known: readonly HolidayCountry[],
  { country, region }: { country: string; region?: string | undefined },
): { place: HolidayPlace } | { problem: Detail } {
  const found = known.find(({ code }) => isSame(code, country));
  if (!found)
    return {
      problem: {
        field: 'country',
        message: t(
          'is {country}, which is not a country with known holidays; give a code of two letters from GET /api/holiday-countries, such as DE',
          { country: quoted(country) },
        ),
      },
    };
  if (region === undefined) return { place: { country: found.code, region: null } };
  const part = found.regions.find(({ code }) => isSame(code, region));
  if (part) return { place: { country: found.code, region: part.code } };
  return {
    problem: {
      field: 'region',
      message: notInCountry(quoted(region), found),
    },
  };
}

/** An error for a region that is given without its country. */
export function regionAlone(region: string): Detail {
  return {
    field: 'region',
    message: t('is {region} without a country; give country as well, or leave region out', {
      region: quoted(region),
    }),
  };
}

function notInCountry(region: string, { name, regions }: HolidayCountry): string {
  const values = {
    ...{ region, name },
    codes: regions
      .slice(0, MOST_NAMED)
      .map(({ code }) => code)
      .join(', '),
  };
  if (regions.length === 0)
    return t('is {region}, but the holidays of {name} are the same in all regions; leave it out', values);
  return regions.length > MOST_NAMED
    ? t(
        'is {region}, which is not a region of {name}; give {codes} or another one from GET /api/holiday-countries, or leave it out',
        values,
      )
    : t('is {region}, which is not a region of {name}; give one of {codes}, or leave it out', values);
}

function isSame(code: string, text: string): boolean {
  return code.toLowerCase() === text.trim().toLowerCase();
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

async function inTurn<Answer>(question: CountryQuestion): Promise<Answer | { error: string }> {
  if (open === MOST_OPEN)
    return {
      error: t('{most} lists of holidays are already being computed; try again in a minute', {
        most: MOST_OPEN,
      }),
    };
  open++;
  const answered = turns.run(() =>
    inThread<Answer>(question, {
      script: new URL('./country-worker.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      mostMegabytes: MOST_MEGABYTES,
      words: {
        overdue: t('computing the holidays took too long'),
        broken: (error) => t('the holidays of the country cannot be computed ({error})', { error }),
        ended: t('computing the holidays took too much memory'),
      },
    }),
  );
  return answered.finally(() => {
    open--;
  });
}
