import type { LoadReport, SourceLine } from './api-contract.ts';
import type { Asking, InterruptedHour } from './interruptions.ts';

export type SourcedAsking = Asking & { pageId: string; source: string; asleep: boolean };

const SOURCES_SHOWN = 20;

/** When pages call for people, and where they come from. */
export function loadOf(
  askings: readonly SourcedAsking[],
  interrupted: readonly InterruptedHour[],
): Pick<LoadReport, 'heat' | 'interrupted_hours' | 'sleep_hours_interrupted' | 'sources'> {
  const heat = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { weekday, hour } of interrupted) {
    const day = heat[weekday];
    if (day) day[hour] = (day[hour] ?? 0) + 1;
  }
  return {
    heat,
    interrupted_hours: interrupted.length,
    sleep_hours_interrupted: interrupted.filter(({ asleep }) => asleep).length,
    sources: sourcesOf(askings),
  };
}

function sourcesOf(askings: readonly SourcedAsking[]): SourceLine[] {
  const lines = [...Map.groupBy(askings, ({ source }) => source)].map(([source, own]) => ({
    source,
    pages: new Set(own.map(({ pageId }) => pageId)).size,
    asked: own.length,
    asleep: own.filter(({ asleep }) => asleep).length,
    last: own.reduce((latest, { at }) => Math.max(latest, at), 0),
  }));
  return lines
    .toSorted((a, b) => b.asked - a.asked || b.pages - a.pages || a.source.localeCompare(b.source, 'en'))
    .slice(0, SOURCES_SHOWN)
    .map(({ last, ...line }) => ({ ...line, last_at: new Date(last).toISOString() }));
}
