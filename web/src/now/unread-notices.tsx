import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { noticesQuery } from '../inbox/queries.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';

const FEW = 3;

/** The viewer's latest unread notices; nothing if there are none. */
export function UnreadNotices({ now }: { now: Date }) {
  const { data } = useQuery(noticesQuery);
  const unread = data?.notices.filter(({ read }) => !read) ?? [];
  if (unread.length === 0) return null;
  return (
    <section className="stack" aria-label={t('New for you')}>
      <div className="row">
        <h2 className="grow">{t('New for you')}</h2>
        <Link to="/inbox" className="link">
          {unread.length > FEW ? t('All {count} in the inbox', { count: data?.unread ?? 0 }) : t('Inbox')}
        </Link>
      </div>
      <div className="card lines">
        {unread.slice(0, FEW).map(({ id, subject, path, created_at }) => (
          <div key={id} className="line opens">
            <span className="dot ink-info" />
            <Link to={path ?? '/inbox'} className="grow" data-row>
              {subject}
            </Link>
            <When at={created_at} now={now} className="faint" />
          </div>
        ))}
      </div>
    </section>
  );
}
