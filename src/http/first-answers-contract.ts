import type { Language } from '../language/contract.ts';

/** The id of the element in which the document of the dashboard carries them. */
export const FIRST_ANSWERS_ID = 'first-answers';

/** Answers of the dashboard's API that come with its document, so that the first view does not wait for requests. */
export type FirstAnswers = {
  /** The time of the service, in ISO 8601. */
  at: string;
  /** The language of their texts. */
  language: Language;
  /** Answers by path and query. */
  answers: Readonly<Record<string, unknown>>;
};

/** The query of the open pages, which every view shows. */
export const OPEN_PAGES = { state: 'open', limit: 200 } as const;
/** The query of the windows and silences that hold or record now. */
export const ACTIVE_WINDOWS = { state: 'active' } as const;
