import type { MomentListQuery } from '../../../src/moments/api-contract.ts';
import {
  MOMENT_STATES,
  MOMENT_TYPES,
  type MomentState,
  PRIORITIES,
} from '../../../src/moments/kinds-contract.ts';
import { readTimeFilter, type TimeFilter, timeRange } from '../kit/time-filter.ts';

type MomentQuery = Partial<MomentListQuery>;

export type Shown = 'unresolved' | 'all' | MomentState;

/** Filters in the URL of the list of moments; a missing one matches everything. Lists are separated by commas. */
export type MomentSearch = TimeFilter & {
  text?: string;
  type?: string;
  priority?: string;
  /** Missing: moments that are not resolved. */
  state?: Exclude<Shown, 'unresolved'>;
  /** The slug of a team. */
  team?: string;
  source?: string;
  /** The id of a webhook. */
  webhook?: string;
  /** The id of a person who acknowledged or resolved them. */
  person?: string;
};

/** Reads the search parameters, which somebody may have typed: invalid values are ignored. */
export function readMomentSearch(search: Record<string, unknown>): MomentSearch {
  const text = (name: string) => (search[name] === undefined ? '' : String(search[name]).slice(0, 500));
  const listed = (name: string, all: readonly string[]) =>
    text(name)
      .split(',')
      .filter((word) => all.includes(word))
      .join(',');
  const found = {
    text: text('text'),
    type: listed('type', MOMENT_TYPES),
    priority: listed('priority', PRIORITIES),
    state: ['all', ...MOMENT_STATES].includes(text('state')) ? text('state') : '',
    team: text('team'),
    source: text('source'),
    webhook: text('webhook'),
    person: text('person'),
    ...readTimeFilter(search),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')) as MomentSearch;
}

export function withoutTimes({ within: _, from: __, to: ___, ...others }: MomentSearch): MomentSearch {
  return others;
}

/** The number of active filters, without the text and the state. */
export function countFilters(search: MomentSearch): number {
  const { text: _, state: __, ...others } = withoutTimes(search);
  return Object.keys(others).length + (search.from || search.to || search.within ? 1 : 0);
}

/** The query with which the service lists what a search means. */
export function momentQuery(search: MomentSearch): MomentQuery {
  const { state = 'unresolved', type, priority, source, ...others } = withoutTimes(search);
  return {
    ...others,
    ...(source ? { source: source.trim() } : {}),
    ...(type ? { type: among(MOMENT_TYPES, type) } : {}),
    ...(priority ? { priority: among(PRIORITIES, priority) } : {}),
    ...(state === 'all' ? {} : { state: state === 'unresolved' ? ['open', 'acknowledged'] : [state] }),
    ...timeRange(search),
  };
}

function among<Word extends string>(words: readonly Word[], list: string): Word[] {
  const given = list.split(',');
  return words.filter((word) => given.includes(word));
}
