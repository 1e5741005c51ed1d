import { t } from '../language/t.ts';
import { serviceNow } from './clock.ts';

const SPANS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Span = keyof typeof SPANS;
export const SPAN_NAMES: Record<Span, string> = {
  hour: t('Last hour'),
  day: t('Last 24 hours'),
  week: t('Last 7 days'),
  month: t('Last 30 days'),
};

/** A period in the URL of a list. */
export type TimeFilter = {
  /** Ends now. */
  within?: Span;
  /** ISO 8601; overrides `within`. */
  from?: string;
  to?: string;
};

/** Reads the period from search parameters, which somebody may have typed: invalid values are ignored. */
export function readTimeFilter(search: Record<string, unknown>): TimeFilter {
  const text = (name: string) => String(search[name] ?? '').slice(0, 50);
  const instant = (name: string) => (Number.isNaN(Date.parse(text(name))) ? '' : text(name));
  const within = text('within') in SPANS ? text('within') : '';
  const found = { within, from: instant('from'), to: instant('to') };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')) as TimeFilter;
}

/** The period as the API takes it. */
export function timeRange({ within, from, to }: TimeFilter): { from?: string; to?: string } {
  const since = from ? new Date(from).toISOString() : within ? hoursAgo(SPANS[within]) : null;
  return { ...(since ? { from: since } : {}), ...(to ? { to: new Date(to).toISOString() } : {}) };
}

function hoursAgo(hours: number): string {
  return new Date(serviceNow().getTime() - hours * 3_600_000).toISOString();
}
