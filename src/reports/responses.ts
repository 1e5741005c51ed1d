import type { Urgency } from '../people/contract.ts';
import type { Answers, WeekOfAnswers } from './api-contract.ts';
import { median, percentile } from './figures.ts';

/** Times in epoch milliseconds. */
export type PageFacts = {
  at: number;
  urgency: Urgency;
  acknowledgedAt: number | null;
  expired: boolean;
};

/**
 * How pages were answered, over all and in each local week that the period touches. Yields where the process may do other
 * work.
 */
export function* responsesOf(
  pages: readonly PageFacts[],
  period: { from: Temporal.Instant; to: Temporal.Instant },
  timeZone: string,
): Generator<void, { total: Answers; weeks: WeekOfAnswers[] }> {
  const weeks = weeksOf(period, timeZone);
  const byWeek = new Map<string, PageFacts[]>(weeks.map(({ week }) => [week, []]));
  for (const [index, page] of pages.entries()) {
    const week = weeks.findLast(({ from }) => from <= page.at);
    if (week) byWeek.get(week.week)?.push(page);
    if (index % 1_000 === 0) yield;
  }
  const total = answersOf(pages);
  const lines: WeekOfAnswers[] = [];
  for (const { week } of weeks) {
    yield;
    lines.push({ week, ...answersOf(byWeek.get(week) ?? []) });
  }
  return { total, weeks: lines };
}

function answersOf(pages: readonly PageFacts[]): Answers {
  const counts: Record<Urgency, number> = { low: 0, medium: 0, high: 0 };
  const times: number[] = [];
  let expired = 0;
  for (const page of pages) {
    counts[page.urgency]++;
    if (page.acknowledgedAt !== null) times.push((page.acknowledgedAt - page.at) / 1_000);
    if (page.expired) expired++;
  }
  const whole = (seconds: number | null) => (seconds === null ? null : Math.round(seconds));
  return {
    pages: counts,
    acknowledged: times.length,
    expired,
    median_seconds: whole(median(times)),
    p95_seconds: whole(percentile(times, 0.95)),
  };
}

/** Weeks begin on Monday at midnight, also when the clocks change. */
function weeksOf(
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
  timeZone: string,
): { week: string; from: number }[] {
  const first = from.toZonedDateTimeISO(timeZone).toPlainDate();
  const weeks: { week: string; from: number }[] = [];
  let monday = first.subtract({ days: first.dayOfWeek - 1 });
  for (;;) {
    const begins = monday.toZonedDateTime(timeZone).epochMilliseconds;
    if (begins >= to.epochMilliseconds) return weeks;
    weeks.push({ week: monday.toString(), from: begins });
    monday = monday.add({ days: 7 });
  }
}
