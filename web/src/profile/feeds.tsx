import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type FeedShown, feedsApi } from '../../../src/calendars/api-contract.ts';
import { HiddenSecret } from '../account/hidden-secret.tsx';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { feedsQuery } from './queries.ts';

/** Calendar feeds: the viewer's shifts, and those of teams and schedules that they added. */
export function Feeds() {
  const { data, error, refetch } = useQuery(feedsQuery);
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => send(feedsApi.create, { body: { kind: 'person' } }),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['calendars'] }),
  });
  return (
    <section className="stack" aria-label={t('Calendar feeds')}>
      <h2>{t('Calendar feeds')}</h2>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data && !data.feeds.some(({ kind }) => kind === 'person') && (
        <Empty
          action={
            <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
              {t('Create a feed')}
            </Button>
          }
        >
          {t(
            'See your shifts in the calendar that you use: create a feed and subscribe to its address there.',
          )}
        </Empty>
      )}
      {data && data.feeds.length > 0 && (
        <div className="card lines">
          {data.feeds.map((feed) => (
            <Feed key={feed.id} feed={feed} />
          ))}
        </div>
      )}
    </section>
  );
}

function Feed({ feed }: { feed: FeedShown }) {
  const now = useNow(60_000);
  const client = useQueryClient();
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null);
  const act = useMutation({
    mutationFn: (what: 'rotate' | 'revoke'): Promise<unknown> =>
      what === 'rotate'
        ? send(feedsApi.rotate, { params: { id: feed.id } })
        : send(feedsApi.revoke, { params: { id: feed.id } }),
    onSuccess: (_, what) => {
      setAsking(null);
      showToast(
        what === 'rotate'
          ? t('It has a new address; the old one no longer works.')
          : t('The feed is removed.'),
      );
    },
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['calendars'] }),
  });
  return (
    <div className="pad stack">
      <div className="row wrap">
        <b className="grow">{feedName(feed)}</b>
        <span className="muted">
          {feed.last_used_at ? (
            <Rich text="last read {when}" when={<When at={feed.last_used_at} now={now} />} />
          ) : (
            t('not read yet')
          )}
        </span>
      </div>
      {feed.url === null ? (
        <HiddenSecret what={t('Its address')} room="calendars" />
      ) : (
        <CopyField text={feed.url} name={t('Copy the address of {feed}', { feed: feedName(feed) })} />
      )}
      <div className="row wrap">
        <span className="muted grow" style={{ minWidth: 'min(100%, 220px)' }}>
          {t('Anyone with this URL can read it.')}
        </span>
        <Button variant="default" onClick={() => setAsking('rotate')}>
          {t('New address')}
        </Button>
        <Button variant="default" onClick={() => setAsking('revoke')}>
          {t('Remove')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={
            asking === 'rotate' ? t('Create a new address?') : t('Remove {name}?', { name: feedName(feed) })
          }
          keep={t('Keep it')}
          go={asking === 'rotate' ? t('New address') : t('Remove')}
          busy={act.isPending}
          close={() => setAsking(null)}
          act={() => act.mutate(asking)}
        >
          {t('Calendars that subscribe to the current address stop getting updates.')}
        </ConfirmDialog>
      )}
    </div>
  );
}

function feedName({ kind, team, schedule }: FeedShown): string {
  if (kind === 'team') return team ? t('Shifts of {name}', { name: team.name }) : t('Shifts of a team');
  if (kind === 'schedule')
    return schedule ? t('Shifts of {name}', { name: schedule.name }) : t('Shifts of a schedule');
  return t('Your shifts');
}
