import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type NoticeView, noticesApi } from '../../../src/notices/api-contract.ts';
import { send } from '../api/call.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { inClock, zoneName } from '../kit/time.ts';
import { showFailure } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import { groupsOf } from './groups.ts';
import classes from './inbox.module.css';
import { noticesQuery } from './queries.ts';

/** The viewer's latest fifty notices. */
export function InboxView() {
  const { data, error, refetch } = useQuery(noticesQuery);
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: (upTo: number) => send(noticesApi.markRead, { body: { up_to: upTo } }),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['notices'] }),
  });
  const notices = data?.notices ?? [];
  const [newest] = notices;
  return (
    <div className="view" style={{ maxWidth: 760 }}>
      <ListHead name={t('Inbox')} about={t('times in {zone}', { zone: zoneName() })}>
        {newest && (data?.unread ?? 0) > 0 && (
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate(newest.id)}>
            {t('Mark all as read')}
          </Button>
        )}
      </ListHead>
      {!data && <Unread error={error} again={refetch} rows={3} />}
      {data && notices.length === 0 && (
        <Empty
          action={
            <Link className="link" to="/profile">
              {t('Notification settings')}
            </Link>
          }
        >
          {t('No notices yet. Changes to your shifts and requests for cover appear here.')}
        </Empty>
      )}
      {notices.length > 0 && (
        <ul className={`card lines ${classes.list}`}>
          {groupsOf(notices).map(([newest, ...earlier]) =>
            newest ? <Group key={newest.path ?? newest.id} newest={newest} earlier={earlier} /> : null,
          )}
        </ul>
      )}
    </div>
  );
}

/** The newest notice about a thing. Earlier ones are folded, unless one of them has not been read. */
function Group({ newest, earlier }: { newest: NoticeView; earlier: readonly NoticeView[] }) {
  return (
    <li>
      <Notice notice={newest} />
      {earlier.length > 0 && (
        <details className={classes.earlier} open={earlier.some(({ read }) => !read)}>
          <summary className="muted">
            {t('{count, plural, one {# earlier notice about this} other {# earlier notices about this}}', {
              count: earlier.length,
            })}
          </summary>
          {earlier.map((notice) => (
            <Notice key={notice.id} notice={notice} />
          ))}
        </details>
      )}
    </li>
  );
}

function Notice({ notice }: { notice: NoticeView }) {
  const now = useNow(60_000);
  const { subject, text, path, read, created_at } = notice;
  return (
    <div className={path ? 'line opens' : 'line'} style={{ alignItems: 'baseline' }}>
      <span className={`dot ${read ? classes.read : 'ink-info'}`} aria-hidden="true" />
      <div className="grow">
        <div className="row wrap" style={{ gap: '0 12px', alignItems: 'baseline' }}>
          <b className="grow" style={{ overflowWrap: 'anywhere' }}>
            {!read && <span className="visually-hidden">{t('Not read:')} </span>}
            {path ? (
              <Link data-row to={path}>
                {inClock(subject)}
              </Link>
            ) : (
              inClock(subject)
            )}
          </b>
          <When at={created_at} now={now} className="muted" />
        </div>
        <p className="muted wordwrap">{inClock(text)}</p>
      </div>
    </div>
  );
}
