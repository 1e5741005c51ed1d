import { parseInstant } from '../kit/instant.ts';
import { type Range, rangeBetween } from '../schedules/range.ts';

export type Period = Range;

const USUAL = { hours: 28 * 24 };

/** The default is the last four weeks. */
export function periodOf(query: { from?: string; to?: string }, now: Temporal.Instant): Period {
  const to = (query.to === undefined ? null : parseInstant(query.to)) ?? now;
  const from = (query.from === undefined ? null : parseInstant(query.from)) ?? to.subtract(USUAL);
  return rangeBetween(from, to);
}
