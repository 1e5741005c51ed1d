const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long something is, in the unit that people think of it in: `7 days`, `36 hours`, `45 minutes`. */
export function lengthWords(ms: number): string {
  // A week with a change of the clock is a week.
  if (ms >= 2 * DAY_MS - HOUR_MS) return counted(Math.round(ms / DAY_MS), 'day');
  if (ms >= 2 * HOUR_MS || ms === HOUR_MS) return counted(Math.round(ms / HOUR_MS), 'hour');
  return counted(Math.max(1, Math.round(ms / 60_000)), 'minute');
}

/** How soon: `in 3 days`, `in 5 hours`. */
export function waitWords(ms: number): string {
  return ms <= 0 ? 'now' : `in ${lengthWords(ms)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
