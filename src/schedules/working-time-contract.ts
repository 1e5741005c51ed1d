import { t } from '../language/contract.ts';

/**
 * Limits of local law for a schedule: the least rest between two shifts, the most hours in a week or on average, and
 * the weekly rest. They are a starting point, not legal advice: laws have exceptions, and differ in whether standby at
 * home counts as work. docs/decisions/0322-sources-of-the-limits-of-laws.md lists their sources.
 */
export type WorkingTime = {
  /** The region's code, such as DE, which is shown by name in each language. */
  region: string;
  /** The source of the numbers. */
  source: string;
  url: string;
  restHours: number;
  /** A day of rest in each week follows the daily rest, so this is the sum of both. */
  weeklyRestHours: number;
  /** The most in any week; left out if the law only limits an average. */
  hoursPerWeek?: number;
  average?: { hoursPerWeek: number; weeks: number };
};

export const WORKING_TIME = {
  eu: {
    region: 'EU',
    get source() {
      return t('Directive 2003/88/EC, articles 3, 5, 6 and 16');
    },
    url: 'https://eur-lex.europa.eu/eli/dir/2003/88/oj',
    restHours: 11,
    weeklyRestHours: 35,
    average: { hoursPerWeek: 48, weeks: 17 },
  },
  de: {
    region: 'DE',
    get source() {
      return t('Arbeitszeitgesetz, sections 3, 5, 9 and 11');
    },
    url: 'https://www.gesetze-im-internet.de/arbzg/',
    restHours: 11,
    weeklyRestHours: 35,
    hoursPerWeek: 60,
    average: { hoursPerWeek: 48, weeks: 24 },
  },
  fr: {
    region: 'FR',
    get source() {
      return t('Code du travail, articles L3121-20, L3121-22, L3131-1 and L3132-2');
    },
    url: 'https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/',
    restHours: 11,
    weeklyRestHours: 35,
    hoursPerWeek: 48,
    average: { hoursPerWeek: 44, weeks: 12 },
  },
  uk: {
    region: 'GB',
    get source() {
      return t('Working Time Regulations 1998, regulations 4, 10 and 11');
    },
    url: 'https://www.legislation.gov.uk/uksi/1998/1833/contents',
    restHours: 11,
    weeklyRestHours: 35,
    average: { hoursPerWeek: 48, weeks: 17 },
  },
  ch: {
    region: 'CH',
    get source() {
      return t('Arbeitsgesetz, articles 9, 15a, 18 and 20; Verordnung 1, article 21');
    },
    url: 'https://www.fedlex.admin.ch/eli/cc/1966/57_57_57/de',
    restHours: 11,
    weeklyRestHours: 35,
    hoursPerWeek: 45,
  },
  br: {
    region: 'BR',
    get source() {
      return t('Constituição, article 7 XIII and XV, and CLT, articles 66 and 67');
    },
    url: 'https://www.planalto.gov.br/ccivil_03/decreto-lei/del5452.htm',
    restHours: 11,
    weeklyRestHours: 35,
    hoursPerWeek: 44,
  },
} as const satisfies Record<string, WorkingTime>;

/** The limits of a law by the names of the API; null for what the law does not limit. */
export function lawfulLimits(name: WorkingTimeName) {
  const { hoursPerWeek, weeklyRestHours, average }: WorkingTime = WORKING_TIME[name];
  return {
    hours_per_week: hoursPerWeek ?? null,
    average_hours_per_week: average?.hoursPerWeek ?? null,
    average_weeks: average?.weeks ?? null,
    weekly_rest_hours: weeklyRestHours,
  };
}

export type WorkingTimeName = keyof typeof WORKING_TIME;
export const WORKING_TIME_NAMES = Object.keys(WORKING_TIME) as WorkingTimeName[];
