import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { stored, t } from '../language/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { channelSubject } from '../problems/channel-problems.ts';
import { noteProblem } from '../problems/store.ts';
import { claimPushKey, countServers, endPushSubscriptions, replacePushKey } from './store.ts';

const SUBJECT = channelSubject('push');

/**
 * Browsers accept push messages only from the key with which they subscribed. If that key was replaced, because
 * vapid.json is gone or `VAPID_PUBLIC_KEY` changed, this ends the subscriptions, sends a notice to the people
 * concerned, opens a problem and logs a warning. While another server runs with the former key, it only opens the
 * problem.
 */
export async function checkPushKey(
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  key: string,
): Promise<void> {
  const former = await claimPushKey(db, key);
  if (former === key) return;
  if ((await countServers(db)) > 0) {
    const message = stored(
      'A process was started with different push keys than those to which browsers are subscribed.',
    );
    const fix = stored(
      'Give all processes the same VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or the same vapid.json in DATA_DIR.',
    );
    log.warn({ fix }, message);
    await noteProblem(db, clock, {
      organizationId: null,
      subject: SUBJECT,
      code: 'push_keys_differ',
      count: 1,
      message,
      fix,
    });
    return;
  }
  const ended = await db.transaction().execute(async (tx) => {
    if (!(await replacePushKey(tx, former, key))) return [];
    const people = await endPushSubscriptions(tx, clock);
    await queueNotices(tx, await clock.now(tx), () =>
      people.map((person) => ({
        ...person,
        kind: 'push.ended',
        dedupKey: null,
        path: '/profile',
        subject: t('Push no longer reaches your browsers'),
        text: t(
          "The service's keys for signing push messages were replaced. Turn push off and on again in each browser that should show your pages.",
        ),
      })),
    );
    return people;
  });
  if (ended.length === 0) return;
  const message =
    ended.length === 1
      ? stored('The push keys were replaced: push subscriptions of one person ended.')
      : stored('The push keys were replaced: push subscriptions of {count} people ended.', {
          count: ended.length,
        });
  const fix = stored(
    'If the former keys are in a backup, restore vapid.json (or VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY) before the next start; otherwise these people have to turn push off and on again in their browsers.',
  );
  log.warn({ fix }, message);
  await noteProblem(db, clock, {
    organizationId: null,
    subject: SUBJECT,
    code: 'push_keys_replaced',
    count: ended.length,
    message,
    fix,
  });
}
