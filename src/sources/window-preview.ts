import type { Occurrence } from '../calendars/repetition.ts';
import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { allHold, factsOf, parseMatcher } from './matcher.ts';
import { firstOccurrences, type WantedWindow } from './window-actions.ts';
import type { WindowPreview } from './windows-api-contract.ts';
import { pastPages } from './windows-store.ts';

/** How many occurrences lists and previews show. */
export const MOST_OCCURRENCES = 5;
const PAST = { hours: 7 * 24 };
const MOST_TITLES = 5;

/** The facts that every page keeps of the event that raised it. Pages of older releases kept nothing else. */
const ALWAYS_KEPT = ['title', 'dedup_key'];
const NO_FACTS = { severity: null, source: null, labels: [] };

/**
 * When a new window would hold, and which pages of the last week it would have kept from paging. `labels`: matchers by
 * the labels of the page that it is made from. Throws like `createWindow`.
 */
export async function previewWindow(
  tx: Tx,
  at: Temporal.Instant,
  wanted: WantedWindow,
  labels: readonly string[],
): Promise<WindowPreview> {
  const { match, effect } = wanted;
  const occurrences = firstOccurrences(wanted, at, MOST_OCCURRENCES).map(presentOccurrence);
  return { match, effect, labels: [...labels], occurrences, last_week: await lastWeek(tx, at, wanted) };
}

async function lastWeek(
  tx: Tx,
  at: Temporal.Instant,
  wanted: WantedWindow,
): Promise<WindowPreview['last_week']> {
  const past = await pastPages(tx, wanted, at.subtract(PAST));
  const comparable = wanted.match.every((text) => ALWAYS_KEPT.includes(keyOf(text)));
  if (!comparable && past.some(({ facts }) => facts === null)) return null;
  const pages = past.filter(({ title, dedupKey, facts }) =>
    allHold(wanted.match, factsOf({ title, dedupKey, ...(facts ?? NO_FACTS) })),
  );
  return { pages: pages.length, titles: pages.slice(0, MOST_TITLES).map(({ title }) => title) };
}

function keyOf(text: string): string {
  const matcher = parseMatcher(text);
  return 'problem' in matcher ? '' : matcher.key;
}

export function presentOccurrence({ startsAt, endsAt }: Occurrence): { starts_at: string; ends_at: string } {
  return { starts_at: instantText(startsAt), ends_at: instantText(endsAt) };
}
