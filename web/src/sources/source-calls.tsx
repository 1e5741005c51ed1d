import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import type { CallPage, CallShown } from '../../../src/webhooks/call-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t, tIn } from '../language/t.ts';
import { receivedQuery } from '../received/queries.ts';
import { RetryAll } from '../received/retry-all.tsx';
import { callStateName, NOTIFICATION_TONES } from '../received/words.ts';

const SHOWN = 10;

/** The newest calls of a source, each with what it did. */
export function SourceCalls({ source: { id } }: { source: SourceDetail }) {
  const { data, error, refetch } = useInfiniteQuery(receivedQuery({ webhook: id }));
  const calls = data?.pages[0]?.notifications.slice(0, SHOWN) ?? [];
  return (
    <section className="stack" aria-label={t('Received calls')}>
      <div className="row wrap">
        <h2 className="grow">{t('Received calls')}</h2>
        <RetryAll search={{ webhook: id }} />
        <Link className="link" to="/notifications" search={{ webhook: id }}>
          {t('All its calls')}
        </Link>
      </div>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data && calls.length === 0 && <p className="muted">{t('None yet.')}</p>}
      {calls.length > 0 && (
        <ul className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {calls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Call({ call: { id, state, reason, received_at, pages, page_count } }: { call: CallShown }) {
  const now = useNow(60_000);
  return (
    <li className="line" style={{ alignItems: 'flex-start' }}>
      <Link className="link tabular" style={{ flex: 'none' }} to="/notifications/$id" params={{ id }}>
        <When at={received_at} now={now} />
      </Link>
      <div className="grow stack tight">
        <CallPages pages={pages} more={page_count - pages.length} />
        {reason && pages.length === 0 && <span className="muted wordwrap">{reason}</span>}
      </div>
      {(state === 'error' || state === 'queued' || pages.length === 0) && (
        <Pill tone={NOTIFICATION_TONES[state] ?? 'none'}>{callStateName(state)}</Pill>
      )}
    </li>
  );
}

/** What the events of a call did: `raised Disk full`. `more`: the number of events that are left out. */
export function CallPages({ pages, more = 0 }: { pages: readonly CallPage[]; more?: number }) {
  return (
    <>
      {pages.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and never change their order
        <Outcome key={index} of={one} />
      ))}
      {more > 0 && <span className="muted">{t('and {count} more', { count: more })}</span>}
    </>
  );
}

/** What a call did in a few words: `Raised Disk full`, `Ignored No open page has this dedup key.` */
export function callWords({ state, pages: [first], page_count }: CallShown): string {
  if (!first) return callStateName(state);
  const what = [ACTIONS[first.action], first.page?.title ?? first.reason].filter(Boolean).join(' ');
  return page_count > 1 ? t('{what} and {count} more', { what, count: page_count - 1 }) : what;
}

function Outcome({ of: { action, reason, page } }: { of: CallPage }) {
  return (
    <span className="wordwrap">
      <b>{ACTIONS[action]}</b>{' '}
      {page && (
        <Link className="link" to="/pages/$id" params={{ id: page.id }}>
          {page.title}
        </Link>
      )}
      {reason && <span className="muted"> {reason}</span>}
    </span>
  );
}

const ACTIONS: Record<CallPage['action'], string> = {
  raised: tIn('what a call did to a page', 'Raised'),
  updated: tIn('what a call did to a page', 'Updated'),
  acknowledged: tIn('what a call did to a page', 'Acknowledged'),
  resolved: tIn('what a call did to a page', 'Resolved'),
  waiting: tIn('what a call did to a page', 'Waiting'),
  ignored: tIn('what a call did to a page', 'Ignored'),
};
