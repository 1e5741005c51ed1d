import { stored } from '../language/contract.ts';
import type { CalendarAnswer, CalendarQuestion } from './occurrences.ts';
import { inThread } from './thread.ts';

/** Reads calendars in worker threads. `error` says in a sentence why one could not be read. */
export type ReadCalendar = (question: CalendarQuestion) => Promise<CalendarAnswer | { error: string }>;

/** Time limit for one calendar, which could contain an endless rule or a million events. */
const DEADLINE_MS = 10_000;
const MOST_MEGABYTES = 256;

/**
 * Reads one calendar at a time, in order of request, each in its own thread: a hostile calendar can take unlimited time
 * or memory.
 */
export function createReadCalendar(deadlineMs = DEADLINE_MS): ReadCalendar {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(() => readInThread(question, deadlineMs));
    last = answer;
    return answer;
  };
}

function readInThread(
  question: CalendarQuestion,
  deadlineMs: number,
): Promise<CalendarAnswer | { error: string }> {
  if (!/BEGIN:VCALENDAR/i.test(question.text))
    return Promise.resolve({ error: stored('it is not an iCalendar file: BEGIN:VCALENDAR is missing') });
  return inThread<CalendarAnswer>(question, {
    script: new URL('./reading-worker.ts', import.meta.url),
    deadlineMs,
    mostMegabytes: MOST_MEGABYTES,
    words: {
      overdue: stored('its repeating events take too long to compute'),
      broken: (error) => stored('it is not a readable iCalendar file ({error})', { error }),
      ended: stored('it needs too much memory to read'),
    },
  });
}
