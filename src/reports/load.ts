import { instantText } from '../kit/instant.ts';
import type { LoadReport, SourceLine } from './api-contract.ts';
import { type Asking, interruptedHours, type sleepers } from './interruptions.ts';

export type SourcedAsking = Asking & { pageId: string; source: string };

const SOURCES_SHOWN = 20;

/** When pages notify people, and where the pages come from. Yields where the process may do other work. */
export function* loadOf(
  askings: readonly SourcedAsking[],
  readClock: ReturnType<typeof sleepers>,
): Generator<void, Pick<LoadReport, 'heat' | 'interrupted_hours' | 'sleep_hours_interrupted' | 'sources'>> {
  const heat = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  let [interrupted, asleepThen] = [0, 0];
  for (const own of Map.groupBy(askings, ({ userId }) => userId).values()) {
    yield;
    for (const { weekday, hour, asleep } of interruptedHours(own, readClock)) {
      interrupted++;
      if (asleep) asleepThen++;
      const day = heat[weekday];
      if (day) day[hour] = (day[hour] ?? 0) + 1;
    }
  }
  const sources = yield* sourcesOf(askings, readClock);
  return { heat, interrupted_hours: interrupted, sleep_hours_interrupted: asleepThen, sources };
}

function* sourcesOf(
  askings: readonly SourcedAsking[],
  readClock: ReturnType<typeof sleepers>,
): Generator<void, SourceLine[]> {
  const lines = [];
  for (const [source, own] of Map.groupBy(askings, (asking) => asking.source)) {
    const pages = new Set<string>();
    let [asleep, last] = [0, 0];
    for (const [index, { pageId, userId, at }] of own.entries()) {
      if (index % 1_000 === 0) yield;
      pages.add(pageId);
      if (readClock(userId, at).asleep) asleep++;
      last = Math.max(last, at);
    }
    lines.push({ source, pages: pages.size, asked: own.length, asleep, last });
  }
  return lines
    .toSorted((a, b) => b.asked - a.asked || b.pages - a.pages || a.source.localeCompare(b.source, 'en'))
    .slice(0, SOURCES_SHOWN)
    .map(({ last, ...line }) => ({
      ...line,
      last_at: instantText(Temporal.Instant.fromEpochMilliseconds(Math.trunc(last))),
    }));
}
