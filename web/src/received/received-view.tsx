import { Button, SegmentedControl, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { CallState } from '../../../src/webhooks/call-contract.ts';
import { LongList } from '../kit/long-list.tsx';
import { Newer } from '../kit/newer.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { sourcesQuery } from '../sources/queries.ts';
import { webhooksQuery } from '../webhooks/queries.ts';
import { receivedQuery } from './queries.ts';
import { ReceivedRow } from './received-row.tsx';
import { RetryAll } from './retry-all.tsx';
import type { ReceivedSearch } from './search.ts';

const SHOWN = [
  { value: '', label: t('All') },
  { value: 'error', label: t('Error') },
  { value: 'ignored', label: t('Ignored') },
  { value: 'success', label: t('Success') },
];

/** All calls of webhooks and page sources as they were received, with their results. */
export function ReceivedView() {
  const search = useSearch({ from: '/notifications' });
  const navigate = useNavigate();
  const webhooks = useQuery(webhooksQuery(null)).data?.webhooks ?? [];
  const sources = useQuery(sourcesQuery(null)).data?.sources ?? [];
  const { state: _, ...ofWebhook } = search;
  const { webhook: __, ...inState } = search;
  const go = (next: ReceivedSearch) =>
    void navigate({ to: '/notifications', search: next, replace: true, resetScroll: false });
  return (
    <div className="view">
      <ListHead name={t('Received notifications')} about={t('times in {zone}', { zone: zoneName() })}>
        <Link className="link" to="/moments">
          {t('Moments')}
        </Link>
      </ListHead>
      <div className="row wrap">
        <SegmentedControl
          aria-label={t('Outcome')}
          value={search.state ?? ''}
          onChange={(state) => go(state ? { ...ofWebhook, state: state as CallState } : ofWebhook)}
          data={SHOWN}
        />
        <Select
          aria-label={t('Webhook or page source')}
          placeholder={t('Webhook or page source')}
          clearable
          searchable
          style={{ flex: '0 1 280px' }}
          data={[...sources, ...webhooks].map(({ id, name, team }) => ({
            value: id,
            label: `${name} · ${team.name}`,
          }))}
          value={search.webhook ?? null}
          onChange={(webhook) => go(webhook ? { ...inState, webhook } : inState)}
        />
        <span className="grow" />
        <RetryAll search={search} />
      </div>
      <Received search={search} clear={() => go({})} />
    </div>
  );
}

function Received({ search, clear }: { search: ReceivedSearch; clear: () => void }) {
  const query = useInfiniteQuery(receivedQuery(search));
  const { data, error, refetch } = query;
  if (!data) return <Unread error={error} again={refetch} rows={6} />;
  const notifications = data.pages.flatMap((answer) => answer.notifications);
  if (notifications.length === 0) return <Nothing search={search} clear={clear} />;
  return (
    <div className="stack">
      <Newer room="notifications" label={t('Show newer notifications')} />
      <LongList label={t('Received notifications')} items={notifications} query={query}>
        {(notification) => <ReceivedRow notification={notification} />}
      </LongList>
    </div>
  );
}

function Nothing({ search, clear }: { search: ReceivedSearch; clear: () => void }) {
  if (search.state === 'error' && !search.webhook)
    return <Empty>{t('Nothing failed: every call could be read.')}</Empty>;
  if (search.state || search.webhook)
    return (
      <Empty
        action={
          <Button variant="default" onClick={clear}>
            {t('Show all')}
          </Button>
        }
      >
        {t('No matching calls.')}
      </Empty>
    );
  return (
    <Empty
      action={
        <Link className="link" to="/teams">
          {t('Teams and what reports to them')}
        </Link>
      }
    >
      {t('No webhook or page source was called yet.')}
    </Empty>
  );
}
