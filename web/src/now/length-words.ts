import { t } from '../language/t.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A duration in the unit that people use for it: `7 days`, `36 hours`, `45 minutes`. */
export function lengthWords(ms: number): string {
  const { unit, count } = lengthOf(ms);
  if (unit === 'day') return t('{count, plural, one {# day} other {# days}}', { count });
  if (unit === 'hour') return t('{count, plural, one {# hour} other {# hours}}', { count });
  return t('{count, plural, one {# minute} other {# minutes}}', { count });
}

/** Time until something begins: `in 3 days`, `in 5 hours`. */
export function waitWords(ms: number): string {
  if (ms <= 0) return t('now');
  const { unit, count } = lengthOf(ms);
  if (unit === 'day') return t('{count, plural, one {in # day} other {in # days}}', { count });
  if (unit === 'hour') return t('{count, plural, one {in # hour} other {in # hours}}', { count });
  return t('{count, plural, one {in # minute} other {in # minutes}}', { count });
}

function lengthOf(ms: number): { unit: 'day' | 'hour' | 'minute'; count: number } {
  // A week that contains a clock change still counts as seven days.
  if (ms >= 2 * DAY_MS - HOUR_MS) return { unit: 'day', count: Math.round(ms / DAY_MS) };
  if (ms >= 2 * HOUR_MS || ms === HOUR_MS) return { unit: 'hour', count: Math.round(ms / HOUR_MS) };
  return { unit: 'minute', count: Math.max(1, Math.round(ms / 60_000)) };
}
