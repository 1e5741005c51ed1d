import { URGENCIES, type Urgency } from '../../../src/pages/urgency-contract.ts';
import { readTimeFilter, type TimeFilter, timeRange } from '../kit/time-filter.ts';

const STATES = ['all', 'notifying', 'acknowledged', 'resolved', 'expired', 'refused'] as const;

/** Filters of the list of pages, open pages by default. They are kept in the URL, so that it can be shared. */
export type PagesSearch = TimeFilter & {
  show?: (typeof STATES)[number];
  urgency?: Urgency;
  team?: string;
  /** The id of a page source. */
  source?: string;
  /** The id of a page: only those of its dedup key. */
  key?: string;
  mine?: true;
  /** The id of somebody whom the page notified. */
  person?: string;
  text?: string;
};

export function pagesSearch(search: Record<string, unknown>): PagesSearch {
  const show = STATES.find((state) => state === search.show);
  const urgency = URGENCIES.find((one) => one === search.urgency);
  return {
    ...(show ? { show } : {}),
    ...(urgency ? { urgency } : {}),
    ...(typeof search.team === 'string' ? { team: search.team } : {}),
    ...(typeof search.source === 'string' ? { source: search.source } : {}),
    ...(typeof search.key === 'string' ? { key: search.key } : {}),
    ...(search.mine === true ? { mine: true } : {}),
    ...(typeof search.person === 'string' ? { person: search.person } : {}),
    ...readTimeFilter(search),
    // The router parses a value of digits as a number.
    ...(typeof search.text === 'string' || typeof search.text === 'number'
      ? { text: String(search.text) }
      : {}),
  };
}

/** The query for the API. Refused pages have a list of their own. */
export function pagesParameters({
  show,
  urgency,
  team,
  source,
  key,
  mine,
  person,
  text,
  ...times
}: PagesSearch) {
  return {
    state: show === undefined || show === 'refused' ? ('open' as const) : show,
    whose: mine && ('mine' as const),
    ...{ urgency, team, source, key_of: key, person, text },
    ...timeRange(times),
  };
}
