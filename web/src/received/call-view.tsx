import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type CallDetail, callsApi } from '../../../src/webhooks/call-contract.ts';
import { send } from '../api/call.ts';
import classes from '../kit/detail.module.css';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { exactTime, zoneName } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { ViewHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import { MOMENT_TONES, momentStateName, TYPE_NAMES } from '../moments/words.ts';
import { CallPages } from '../sources/source-calls.tsx';
import { integrationName, isSource } from '../webhooks/integration-names.ts';
import { callQuery } from './queries.ts';
import { RawCall } from './raw-call.tsx';
import { callStateName, NOTIFICATION_TONES } from './words.ts';

/** One call as it was received, and its result. */
export function NotificationView() {
  const { id } = useParams({ from: '/notifications/$id' });
  const { data, error, refetch } = useQuery(callQuery(id));
  if (data) return <Notification notification={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t(
        'Your organization received no such notification, or it was deleted when its retention ended.',
      )}
      to="/notifications"
      back={t('All notifications')}
    />
  );
}

function Notification({ notification }: { notification: CallDetail }) {
  const { webhook, integration, state, received_at, may_retry } = notification;
  const now = useNow(60_000);
  return (
    <div className="view">
      <ViewHead
        crumb={
          <Link to="/notifications" className="crumb">
            {t('Received /')}
          </Link>
        }
        name={webhook.name}
        states={
          <Pill tone={NOTIFICATION_TONES[state] ?? 'none'} dot>
            {callStateName(state)}
          </Pill>
        }
        about={
          <>
            {integrationName(integration)} · {webhook.team_name} · <When at={received_at} now={now} />{' '}
            {zoneName()}
          </>
        }
      >
        {may_retry && <Retry id={notification.id} />}
      </ViewHead>
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 20 }}>
          <Outcome notification={notification} />
          <RawCall notification={notification} />
        </div>
        <aside className="stack" style={{ gap: 20 }}>
          {isSource(webhook.id) && <PagesOfIt notification={notification} />}
          <CameOfIt notification={notification} />
          <Evidence notification={notification} />
        </aside>
      </div>
    </div>
  );
}

function Retry({ id }: { id: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => send(callsApi.retry, { params: { id } }),
    onSuccess: () => showToast(t('It was read again.')),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  });
  return (
    <Button loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('Retry')}
    </Button>
  );
}

const OUTCOMES = {
  queued: t('It is waiting to be read.'),
  success: t('It was read and recorded.'),
  error: t('The call could not be read.'),
  ignored: t('It was read, and there was nothing to do.'),
} as const;

function Outcome({ notification: { webhook, state, reason, may_retry } }: { notification: CallDetail }) {
  return (
    <div className="card pad stack tight">
      <b>{OUTCOMES[state]}</b>
      {reason && <span className="wordwrap">{reason}</span>}
      {may_retry && (
        <span className="muted">
          {isSource(webhook.id)
            ? t(
                'Correct the sender or the settings of the page source, then retry: Tocsin reads the stored call again.',
              )
            : t(
                'Correct the sender or the settings of the webhook, then retry: Tocsin reads the stored call again.',
              )}
        </span>
      )}
    </div>
  );
}

function PagesOfIt({ notification: { pages, page_count } }: { notification: CallDetail }) {
  return (
    <section className="stack" aria-label={t('Pages')}>
      <h2>{t('Pages')}</h2>
      {pages.length === 0 ? (
        <p className="muted">{t('None.')}</p>
      ) : (
        <div className="card pad stack">
          <CallPages pages={pages} more={page_count - pages.length} />
        </div>
      )}
    </section>
  );
}

function CameOfIt({ notification: { moments } }: { notification: CallDetail }) {
  return (
    <section className="stack" aria-label={t('Moments created from it')}>
      <h2>{t('Moments created from it')}</h2>
      {moments.length === 0 ? (
        <p className="muted">{t('None.')}</p>
      ) : (
        <ul className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {moments.map(({ id, name, type, state }) => (
            <li className="line" key={id}>
              <span className="grow">
                <Link className="link" to="/moments/$id" params={{ id }}>
                  {name}
                </Link>
                <br />
                <span className="muted">{TYPE_NAMES[type]}</span>
              </span>
              <Pill tone={MOMENT_TONES[state]}>{momentStateName(state)}</Pill>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Evidence({ notification }: { notification: CallDetail }) {
  const { id, request_id, received_at, processed_at, attempts, webhook } = notification;
  return (
    <section className="stack" aria-label={t('Evidence')}>
      <h2>{t('Evidence')}</h2>
      <div className="card pad stack tight mono" style={{ overflowWrap: 'anywhere' }}>
        <span>{id}</span>
        {request_id && <span>{request_id}</span>}
        <span>{t('received {time}', { time: exactTime(received_at) })}</span>
        {processed_at && <span>{t('read {time}', { time: exactTime(processed_at) })}</span>}
        {attempts > 1 && <span>{t('{count} attempts', { count: attempts })}</span>}
        <Link className="link" to="/notifications" search={{ webhook: webhook.id }}>
          {t('all calls of {name}', { name: webhook.name })}
        </Link>
        <Link
          className="link"
          to={isSource(webhook.id) ? '/sources/$id' : '/webhooks/$id'}
          params={{ id: webhook.id }}
        >
          {isSource(webhook.id) ? t('the page source') : t('the webhook')}
        </Link>
      </div>
    </section>
  );
}
