import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { t } from '../language/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { titleText } from './own-texts-contract.ts';
import { type ShadowedPage, shadowedPages } from './read-store.ts';

const AT_ONCE = 200;
/** The subject of a notice has at most 300 characters. */
const LONGEST_TITLE = 200;

/**
 * Sends shadows a notice of each open page after the person they learn with has been notified. It is a separate duty,
 * so that a page never waits for it or fails because of it. Shadows never become responders. @returns whether there may
 * be more
 */
export async function notifyShadows({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  const found = await shadowedPages(db, AT_ONCE);
  if (found.length === 0) return false;
  await db
    .transaction()
    .execute(async (tx) => queueNotices(tx, await clock.now(tx), () => found.map(noticeOf)));
  return found.length === AT_ONCE;
}

function noticeOf({ organizationId, userId, pageId, title, mentor, schedule }: ShadowedPage) {
  const own = titleText(title);
  const short = own.length > LONGEST_TITLE ? `${own.slice(0, LONGEST_TITLE - 1)}…` : own;
  return {
    ...{ organizationId, userId },
    kind: 'page.shadowed',
    subject: t('{mentor} is paged: {title}', { mentor, title: short }),
    text: t(
      '{mentor} has been notified of the page “{title}”. You are on call with {mentor} in the schedule {schedule} to learn, so you get this notice. The page does not wait for you, and you do not have to answer it.',
      { mentor, schedule, title: short },
    ),
    path: `/pages/${pageId}`,
    dedupKey: `shadow ${pageId}`,
  };
}
