import type { MomentListQuery } from '../../../src/moments/api-contract.ts';
import {
  MOMENT_STATES,
  MOMENT_TYPES,
  type MomentState,
  PRIORITIES,
} from '../../../src/moments/kinds-contract.ts';
import { serviceNow } from '../kit/clock.ts';

type MomentQuery = Partial<MomentListQuery>;

const SPANS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type Span = keyof typeof SPANS;
export const SPAN_NAMES: Record<Span, string> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
};

export type Shown = 'unresolved' | 'all' | MomentState;

/** Filters in the URL of the list of moments; a missing one matches everything. Lists are separated by commas. */
export type MomentSearch = {
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
  within?: Span;
  /** ISO 8601; overrides `within`. */
  from?: string;
  to?: string;
};

/** Reads the search parameters, which somebody may have typed: invalid values are ignored. */
export function readMomentSearch(search: Record<string, unknown>): MomentSearch {
  const text = (name: string) => (search[name] === undefined ? '' : String(search[name]).slice(0, 500));
  const listed = (name: string, all: readonly string[]) =>
    text(name)
      .split(',')
      .filter((word) => all.includes(word))
      .join(',');
  const instant = (name: string) => (Number.isNaN(Date.parse(text(name))) ? '' : text(name));
  const found = {
    text: text('text'),
    type: listed('type', MOMENT_TYPES),
    priority: listed('priority', PRIORITIES),
    state: ['all', ...MOMENT_STATES].includes(text('state')) ? text('state') : '',
    team: text('team'),
    source: text('source'),
    webhook: text('webhook'),
    within: text('within') in SPANS ? text('within') : '',
    from: instant('from'),
    to: instant('to'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')) as MomentSearch;
}

/** The number of active filters, without the text and the state. */
export function countFilters(search: MomentSearch): number {
  const { text: _, state: __, from, to, within, ...others } = search;
  return Object.keys(others).length + (from || to || within ? 1 : 0);
}

/** The query with which the service lists what a search means. */
export function momentQuery(search: MomentSearch): MomentQuery {
  const { state = 'unresolved', type, priority, within, from, to, ...others } = search;
  const since = from ? new Date(from).toISOString() : within ? hoursAgo(SPANS[within]) : null;
  return {
    ...others,
    ...(type ? { type: among(MOMENT_TYPES, type) } : {}),
    ...(priority ? { priority: among(PRIORITIES, priority) } : {}),
    ...(state === 'all' ? {} : { state: state === 'unresolved' ? ['open', 'acknowledged'] : [state] }),
    ...(since ? { from: since } : {}),
    ...(to ? { to: new Date(to).toISOString() } : {}),
  };
}

function among<Word extends string>(words: readonly Word[], list: string): Word[] {
  const given = list.split(',');
  return words.filter((word) => given.includes(word));
}

function hoursAgo(hours: number): string {
  return new Date(serviceNow().getTime() - hours * 3_600_000).toISOString();
}
