const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A duration in the unit that people use for it: `7 days`, `36 hours`, `45 minutes`. */
export function lengthWords(ms: number): string {
  // A week that contains a clock change still counts as seven days.
  if (ms >= 2 * DAY_MS - HOUR_MS) return counted(Math.round(ms / DAY_MS), 'day');
  if (ms >= 2 * HOUR_MS || ms === HOUR_MS) return counted(Math.round(ms / HOUR_MS), 'hour');
  return counted(Math.max(1, Math.round(ms / 60_000)), 'minute');
}

/** Time until something begins: `in 3 days`, `in 5 hours`. */
export function waitWords(ms: number): string {
  return ms <= 0 ? 'now' : `in ${lengthWords(ms)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
