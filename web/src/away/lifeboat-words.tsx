import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';

/**
 * What still works while a lifeboat is afloat, with the people and shifts of `copiedAt`; null: it brings its pages to the
 * database.
 */
export function LifeboatWords({ copiedAt }: { copiedAt: string | null }) {
  const now = useNow(15_000);
  if (copiedAt === null)
    return (
      <span>
        {t(
          'The database is back, and lifeboats bring their pages to it. Until they have, pages may be missing here, and the others escalate a moment later.',
        )}
      </span>
    );
  return (
    <>
      {t(
        'Pages from programs and page sources still work: a lifeboat accepts them, notifies and escalates, with the people and shifts of {time}. These pages do not appear here, and this screen does not ring: acknowledge with the link in a notification, or by phone, SMS or Slack.',
        { time: shortTime(copiedAt, now) },
      )}{' '}
    </>
  );
}
