import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pill } from '../kit/pill.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import { receivedQuery } from '../received/queries.ts';
import { callStateName, NOTIFICATION_TONES } from '../received/words.ts';

const SHOWN = 8;

/** The newest calls of a webhook, with their results. */
export function LastCalls({ webhookId }: { webhookId: string }) {
  const now = useNow(60_000);
  const { data } = useInfiniteQuery(receivedQuery({ webhook: webhookId }));
  const calls = data?.pages[0]?.notifications.slice(0, SHOWN) ?? [];
  return (
    <section className="stack" aria-label={t('Last calls')}>
      <h2>{t('Last calls')}</h2>
      {data && calls.length === 0 && <p className="muted">{t('None yet.')}</p>}
      {calls.length > 0 && (
        <ul className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {calls.map(({ id, state, received_at }) => (
            <li className="line" key={id}>
              <Link className="link grow" to="/notifications/$id" params={{ id }}>
                <When at={received_at} now={now} />
              </Link>
              <Pill tone={NOTIFICATION_TONES[state] ?? 'none'}>{callStateName(state)}</Pill>
            </li>
          ))}
        </ul>
      )}
      <div className="row wrap">
        <Link className="link" to="/notifications" search={{ webhook: webhookId }}>
          {t('All its calls')}
        </Link>
        <Link className="link" to="/moments" search={{ webhook: webhookId, state: 'all' }}>
          {t('Its moments')}
        </Link>
      </div>
    </section>
  );
}
