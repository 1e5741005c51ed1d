import { t } from '../language/t.ts';
/** `at once`, `after 2 minutes`. */
export function afterWords(minutes: number): string {
  if (minutes === 0) return t('at once');
  if (minutes < 1)
    return t('after {count, plural, one {# second} other {# seconds}}', { count: Math.round(minutes * 60) });
  return t('after {count, plural, one {# minute} other {# minutes}}', { count: Number(minutes.toFixed(1)) });
}
