import { t } from '../language/contract.ts';

/**
 * Limits of local law that can be chosen for a schedule: the least rest between two shifts and the most hours in a week. They
 * are a help and no legal advice: laws have exceptions, average over weeks or months, and differ in whether standby at home
 * counts as work.
 */
export type WorkingTime = {
  /** The region's code, such as DE, by which it is named in each language. */
  region: string;
  /** Where the two numbers stand. */
  source: string;
  url: string;
  restHours: number;
  hoursPerWeek: number;
};

export const WORKING_TIME = {
  eu: {
    region: 'EU',
    get source() {
      return t('Directive 2003/88/EC, articles 3 and 6');
    },
    url: 'https://eur-lex.europa.eu/eli/dir/2003/88/oj',
    restHours: 11,
    hoursPerWeek: 48,
  },
  de: {
    region: 'DE',
    get source() {
      return t('Arbeitszeitgesetz, sections 3 and 5');
    },
    url: 'https://www.gesetze-im-internet.de/arbzg/',
    restHours: 11,
    hoursPerWeek: 48,
  },
  fr: {
    region: 'FR',
    get source() {
      return t('Code du travail, articles L3131-1 and L3121-20');
    },
    url: 'https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000006072050/',
    restHours: 11,
    hoursPerWeek: 48,
  },
  uk: {
    region: 'GB',
    get source() {
      return t('Working Time Regulations 1998, regulations 4 and 10');
    },
    url: 'https://www.legislation.gov.uk/uksi/1998/1833/contents',
    restHours: 11,
    hoursPerWeek: 48,
  },
  ch: {
    region: 'CH',
    get source() {
      return t('Arbeitsgesetz, articles 9 and 15a');
    },
    url: 'https://www.fedlex.admin.ch/eli/cc/1966/57_57_57/de',
    restHours: 11,
    hoursPerWeek: 45,
  },
  br: {
    region: 'BR',
    get source() {
      return t('Constituição, article 7 XIII, and CLT, article 66');
    },
    url: 'https://www.planalto.gov.br/ccivil_03/decreto-lei/del5452.htm',
    restHours: 11,
    hoursPerWeek: 44,
  },
} as const satisfies Record<string, WorkingTime>;

export type WorkingTimeName = keyof typeof WORKING_TIME;
export const WORKING_TIME_NAMES = Object.keys(WORKING_TIME) as WorkingTimeName[];
