import type { Answers, WeekOfAnswers } from './api-contract.ts';
import type { AnswersRow } from './store.ts';

const NONE: Answers = {
  ...{ pages: { low: 0, medium: 0, high: 0 }, acknowledged: 0, expired: 0 },
  ...{ median_seconds: null, p95_seconds: null },
};

/** `name`: its Monday, such as `2026-11-16`. */
export type Week = { name: string; from: Temporal.Instant };

/** How pages were answered, over all and in each week, including weeks without pages. */
export function responsesOf(
  rows: readonly AnswersRow[],
  weeks: readonly Week[],
): { total: Answers; weeks: WeekOfAnswers[] } {
  const answers = new Map(rows.map(({ week, ...row }) => [week, wholeSeconds(row)]));
  return {
    total: answers.get(null) ?? NONE,
    weeks: weeks.map(({ name }, index) => ({ week: name, ...(answers.get(index) ?? NONE) })),
  };
}

function wholeSeconds(answers: Answers): Answers {
  const whole = (seconds: number | null) => (seconds === null ? null : Math.round(seconds));
  return {
    ...answers,
    ...{ median_seconds: whole(answers.median_seconds), p95_seconds: whole(answers.p95_seconds) },
  };
}

/** The local weeks that a period touches. They begin on Monday at midnight, even when the clocks change. */
export function weeksOf(
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
  timeZone: string,
): Week[] {
  const first = from.toZonedDateTimeISO(timeZone).toPlainDate();
  const weeks: Week[] = [];
  let monday = first.subtract({ days: first.dayOfWeek - 1 });
  for (;;) {
    const begins = monday.toZonedDateTime(timeZone).toInstant();
    if (begins.epochMilliseconds >= to.epochMilliseconds) return weeks;
    weeks.push({ name: monday.toString(), from: begins });
    monday = monday.add({ days: 7 });
  }
}
