import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { allHold, factsOf, parseMatcher } from './matcher.ts';
import type { Occurrence } from './repetition.ts';
import { firstOccurrences, type WantedWindow } from './window-actions.ts';
import type { WindowPreview } from './windows-api-contract.ts';
import { pastPages } from './windows-store.ts';

/** How many occurrences lists and previews show. */
export const MOST_OCCURRENCES = 5;
const PAST = { hours: 7 * 24 };
const MOST_TITLES = 5;

/** What pages keep of the event that raised them; matchers of other keys cannot be compared with them. */
const KEPT = ['title', 'dedup_key'];

/** When a wanted window would hold, and which pages of the last week it would have kept from paging. Throws as `createWindow` does. */
export async function previewWindow(
  tx: Tx,
  at: Temporal.Instant,
  wanted: WantedWindow,
): Promise<WindowPreview> {
  const { match, effect } = wanted;
  const occurrences = firstOccurrences(wanted, at, MOST_OCCURRENCES).map(presentOccurrence);
  return { match, effect, occurrences, last_week: await lastWeek(tx, at, wanted) };
}

async function lastWeek(
  tx: Tx,
  at: Temporal.Instant,
  wanted: WantedWindow,
): Promise<WindowPreview['last_week']> {
  if (!wanted.match.every((text) => KEPT.includes(keyOf(text)))) return null;
  const pages = (await pastPages(tx, wanted, at.subtract(PAST))).filter(({ title, dedupKey }) =>
    allHold(wanted.match, factsOf({ title, dedupKey, severity: null, source: null, labels: [] })),
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
