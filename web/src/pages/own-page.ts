import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { t } from '../language/t.ts';

/** Whether the page notified this person, or they acknowledged it. Keys and bulk actions ask first about pages of others. */
export function isOwn(page: PageSummary, me: string | undefined): boolean {
  return page.mine || (me !== undefined && page.acknowledged_by?.id === me);
}

/** Whom a page was sent to. */
export function recipientOf({ team, person }: PageSummary): string {
  return team?.name ?? person?.name ?? t('somebody else');
}
