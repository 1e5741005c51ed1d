import { type Interval, union, within, without } from '../kit/interval.ts';
import type { Version } from './pattern.ts';
import { daysOf, windowsBetween } from './timetable.ts';

/** A time without anybody on call by design. The backstop answers, and it does not count as a gap. */
export type UncoveredTime = Interval & { because: 'hours' | 'holiday' | 'not_begun' };

type Layer = { versions: readonly Version[]; timeZone: string };

/**
 * The times from `from` to `to` at which a stage has nobody on call by design. `holidays`: local dates, empty if
 * holidays only weigh more. Of several reasons, the first applies: not begun, holiday, hours.
 */
export function uncoveredTimes(
  layers: readonly Layer[],
  holidays: ReadonlySet<string>,
  from: Temporal.Instant,
  to: Temporal.Instant,
): UncoveredTime[] {
  const range = { from: from.epochMilliseconds, to: to.epochMilliseconds };
  const coveredBy = (uncovered: ReadonlySet<string>) =>
    union(
      layers.flatMap(({ versions, timeZone }) => {
        return windowsBetween(versions, timeZone, uncovered, from, to) ?? [range];
      }),
    );
  const open = without([range], coveredBy(holidays));
  const days = daysOf(holidays, layers[0]?.timeZone ?? 'UTC');
  const begun = Math.min(...layers.map((layer) => begin(layer, from, to)));
  return open.flatMap((span) => [
    ...within([{ from: range.from, to: begun }], span).map((part) => ({
      ...part,
      because: 'not_begun' as const,
    })),
    ...within([{ from: begun, to: Number.POSITIVE_INFINITY }], span).flatMap((part) => byHoliday(part, days)),
  ]);
}

function byHoliday(span: Interval, days: readonly Interval[]): UncoveredTime[] {
  return [
    ...within(days, span).map((part) => ({ ...part, because: 'holiday' as const })),
    ...without([span], days).map((part) => ({ ...part, because: 'hours' as const })),
  ].sort((a, b) => a.from - b.from);
}

/** When the first version begins, in epoch milliseconds. */
function begin({ versions, timeZone }: Layer, from: Temporal.Instant, to: Temporal.Instant): number {
  const always = versions.map((version) => ({ ...version, hours: null }));
  const windows = windowsBetween(always, timeZone, new Set(), from, to);
  return windows ? (windows[0]?.from ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
}
