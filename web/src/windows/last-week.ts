import type { WindowPreview } from '../../../src/sources/windows-api-contract.ts';
import { quoted } from '../kit/quoted.ts';
import { commas, t } from '../language/t.ts';

/** `In the last 7 days it would have kept 3 pages from paging: “Disk full”, “Slow”.` */
export function lastWeekWords({ pages, titles }: NonNullable<WindowPreview['last_week']>): string {
  if (pages === 0) return t('In the last 7 days, no page was about this.');
  const named = commas([...new Set(titles)].map(quoted));
  return pages > titles.length
    ? t(
        '{pages, plural, =1 {In the last 7 days, 1 page would have waited: {titles}, ….} other {In the last 7 days, # pages would have waited: {titles}, ….}}',
        { pages, titles: named },
      )
    : t(
        '{pages, plural, =1 {In the last 7 days, 1 page would have waited: {titles}.} other {In the last 7 days, # pages would have waited: {titles}.}}',
        { pages, titles: named },
      );
}
