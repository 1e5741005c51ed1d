import { clip, union } from '../kit/interval.ts';
import type { Range } from './range.ts';
import { servedIn } from './served.ts';
import type { TimelineLoad, TimelineShift } from './timeline-contract.ts';

/**
 * The load of each person within a range. Nights and weekends are counted as in drafts, in the schedule's time zone.
 */
export function loadsOf(
  shifts: readonly TimelineShift[],
  { from, to }: Range,
  timeZone: string,
): TimelineLoad[] {
  const range = { from: from.epochMilliseconds, to: to.epochMilliseconds };
  const servedOf = servedIn({ timeZone, holidays: new Set() });
  const byPerson = Map.groupBy(shifts, ({ person }) => person?.id ?? null);
  return [...byPerson].flatMap(([person_id, own]) => {
    if (person_id === null) return [];
    const spans = own.flatMap(
      (shift) => clip({ from: Date.parse(shift.starts_at), to: Date.parse(shift.ends_at) }, range) ?? [],
    );
    const parts = union(spans);
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last) return [];
    const { nights, weekends } = servedOf({ from: first.from, to: last.to, parts });
    const hours = spans.reduce((sum, span) => sum + span.to - span.from, 0) / 3_600_000;
    return [{ person_id, hours, nights, weekends }];
  });
}
