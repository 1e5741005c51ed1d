import type { WindowPreview } from '../../../src/sources/windows-api-contract.ts';
import { t } from '../language/t.ts';

/** `In the last 7 days it would have kept 3 pages from paging: “Disk full”, “Slow”.` */
export function lastWeekWords({ pages, titles }: NonNullable<WindowPreview['last_week']>): string {
  if (pages === 0) return t('In the last 7 days, no page was about this.');
  const count = pages === 1 ? '1 page' : `${pages} pages`;
  const named = [...new Set(titles)];
  const more = pages > titles.length ? ', …' : '';
  return `In the last 7 days, ${count} would have waited: ${named.map((title) => `“${title}”`).join(', ')}${more}.`;
}
