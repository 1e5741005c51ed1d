import { instantText } from '../kit/instant.ts';
import type { LoadReport } from './api-contract.ts';
import type { HeatRow, SourceRow } from './store.ts';

/** When pages notify people, and where the pages come from. */
export function loadOf(
  hours: readonly HeatRow[],
  sources: readonly SourceRow[],
): Pick<LoadReport, 'heat' | 'interrupted_hours' | 'sleep_hours_interrupted' | 'sources'> {
  const heat = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  let [interrupted, asleepThen] = [0, 0];
  for (const row of hours) {
    interrupted += row.interrupted;
    asleepThen += row.asleep;
    const day = heat[row.weekday];
    if (day) day[row.hour] = row.interrupted;
  }
  return {
    ...{ heat, interrupted_hours: interrupted, sleep_hours_interrupted: asleepThen },
    sources: sources.map(({ lastAt, ...line }) => ({ ...line, last_at: instantText(lastAt) })),
  };
}
