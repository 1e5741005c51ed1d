import type { FetchDocument } from '../kit/fetch-text.ts';
import { stored } from '../language/contract.ts';

export type FetchedCalendar = { text: string; etag: string | null } | 'unchanged' | { error: string };

/** The most redirects that are followed; more count as a loop. */
const MOST_HOPS = 3;

/** Large enough for years of a busy person's calendar, small enough for memory. */
export const CALENDAR_LIMITS = { deadlineMs: 15_000, mostBytes: 5 * 1_024 * 1_024 };

/** Parses an http, https or `webcal:` address (read as https); null for anything else. */
export function calendarUrl(text: string): URL | null {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'));
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && url.hostname !== '' ? url : null;
}

/** Fetches a calendar unless it still has this `etag`. `fetchDocument` checks each redirect like the first address. */
export async function fetchCalendar(
  fetchDocument: FetchDocument,
  url: URL,
  etag: string | null,
): Promise<FetchedCalendar> {
  const headers = {
    accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'user-agent': 'Tocsin',
    ...(etag === null ? {} : { 'if-none-match': etag }),
  };
  let from = url;
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const got = await fetchDocument(from, headers);
    if ('error' in got) return got;
    if (got.status === 304 && etag !== null) return 'unchanged';
    if (got.status >= 200 && got.status < 300) return { text: got.text, etag: got.etag };
    const next = got.status >= 300 && got.status < 400 && got.location ? URL.parse(got.location, from) : null;
    if (!next || calendarUrl(next.href) === null) return { error: statusSentence(from, got.status) };
    from = next;
  }
  return { error: stored('{host} redirects too often', { host: url.host }) };
}

function statusSentence({ host }: URL, status: number): string {
  if (status === 401 || status === 403)
    return stored('{host} refuses to show the calendar ({status}); give its private address', {
      host,
      status,
    });
  if (status === 404 || status === 410)
    return stored('{host} does not know the calendar ({status}); its address may have been changed', {
      host,
      status,
    });
  return stored('{host} answered with status {status}', { host, status });
}
