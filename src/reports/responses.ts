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

/** How pages were answered, over all and by the local weeks that the period touches. */
export function responsesOf(
  pages: readonly PageFacts[],
  period: { from: Temporal.Instant; to: Temporal.Instant },
  timeZone: string,
): { total: Answers; weeks: WeekOfAnswers[] } {
  const weeks = weeksOf(period, timeZone);
  const byWeek = new Map<string, PageFacts[]>(weeks.map(({ week }) => [week, []]));
  for (const page of pages) {
    const week = weeks.findLast(({ from }) => from <= page.at);
    if (week) byWeek.get(week.week)?.push(page);
  }
  return {
    total: answersOf(pages),
    weeks: weeks.map(({ week }) => ({ week, ...answersOf(byWeek.get(week) ?? []) })),
  };
}

function answersOf(pages: readonly PageFacts[]): Answers {
  const count = (urgency: Urgency) => pages.filter((page) => page.urgency === urgency).length;
  const times = pages.flatMap(({ at, acknowledgedAt }) =>
    acknowledgedAt === null ? [] : [(acknowledgedAt - at) / 1_000],
  );
  const whole = (seconds: number | null) => (seconds === null ? null : Math.round(seconds));
  return {
    pages: { low: count('low'), medium: count('medium'), high: count('high') },
    acknowledged: times.length,
    expired: pages.filter(({ expired }) => expired).length,
    median_seconds: whole(median(times)),
    p95_seconds: whole(percentile(times, 0.95)),
  };
}

/** Weeks begin on Monday at midnight, however long the clocks make them. */
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
