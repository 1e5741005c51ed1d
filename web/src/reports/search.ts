import { t, tIn } from '../language/t.ts';
/**
 * Search parameters of the reports: period, team and marked rows. Dates are days in the organization's zone, such as
 * `2026-11-20`, both included.
 */
export type ReportSearch = {
  period?: Exclude<PeriodName, '4w'> | undefined;
  from?: string | undefined;
  to?: string | undefined;
  team?: string | undefined;
  person?: string | undefined;
};

export const PERIODS = {
  '4w': t('4 weeks'),
  '12w': t('12 weeks'),
  '52w': t('52 weeks'),
  ahead: tIn('a period of a report', 'Upcoming'),
  dates: tIn('a period of a report', 'Dates'),
} as const;
export type PeriodName = keyof typeof PERIODS;

const isDate = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text);

export function reportSearch({ period, from, to, team, person }: Record<string, unknown>): ReportSearch {
  return {
    ...(typeof period === 'string' && period in PERIODS && period !== '4w'
      ? { period: period as Exclude<PeriodName, '4w'> }
      : {}),
    ...(isDate(from) ? { from } : {}),
    ...(isDate(to) ? { to } : {}),
    ...(typeof team === 'string' && team !== '' ? { team } : {}),
    ...(typeof person === 'string' && person !== '' ? { person } : {}),
  };
}
