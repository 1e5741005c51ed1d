import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type WebhookDetail, webhooksApi } from '../../../src/webhooks/api-contract.ts';
import type { CallDetail } from '../../../src/webhooks/call-contract.ts';
import { send } from '../api/call.ts';
import { showFailure } from '../kit/toast.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { useMomentAct } from '../moments/use-moment-act.ts';
import { callQuery } from '../received/queries.ts';
import { integrationName } from './integration-names.ts';

/** Sends an example call to the webhook and shows the result. */
export function TryIt({ webhook }: { webhook: WebhookDetail }) {
  const [tried, setTried] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: () => send(webhooksApi.test, { params: { id: webhook.id } }),
    onSuccess: ({ notification_id }) => setTried(notification_id),
    onError: showFailure,
  });
  return (
    <section className="stack" aria-label={t('Try it')}>
      <h2>{t('Try it')}</h2>
      <div className="card pad row wrap">
        <span className="grow" style={{ minWidth: 220 }}>
          {tried ? (
            <Result id={tried} />
          ) : (
            <span className="muted">
              {webhook.type === 'custom'
                ? t(
                    'Reads an example of what a sender sends, with the settings below. The moment is marked as a test and does not page anyone.',
                  )
                : t(
                    'Reads an example of what {tool} sends, with the settings below. The moment is marked as a test and does not page anyone.',
                    { tool: integrationName(webhook.type) },
                  )}
            </span>
          )}
        </span>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t('Send an example')}
        </Button>
      </div>
    </section>
  );
}

function Result({ id }: { id: string }) {
  const client = useQueryClient();
  const { data } = useQuery(callQuery(id));
  const state = data?.state ?? 'queued';
  useEffect(() => {
    if (state === 'queued') return;
    for (const room of ['moments', 'notifications', 'webhooks'])
      void client.invalidateQueries({ queryKey: [room, room === 'webhooks' ? 'one' : 'list'] });
  }, [state, client]);
  if (!data || data.state === 'queued') return <span role="status">{t('Reading it …')}</span>;
  return <Read notification={data} />;
}

function Read({ notification }: { notification: CallDetail }) {
  const { id, state, reason, moments } = notification;
  const [moment] = moments;
  if (state === 'success' && moment)
    return (
      <span role="status" className="row wrap">
        <span>
          <Rich
            text="It created <link>{moment}</link>."
            link={(name) => (
              <Link className="link" to="/moments/$id" params={{ id: moment.id }}>
                {name}
              </Link>
            )}
            moment={moment.name}
          />
        </span>
        <ResolveTest momentId={moment.id} />
      </span>
    );
  return (
    <span role="status">
      {state === 'ignored'
        ? t('It was ignored: {reason}', { reason: reason ?? '' })
        : t('The call could not be read: {reason}', { reason: reason ?? '' })}{' '}
      <Link className="link" to="/notifications/$id" params={{ id }}>
        {t('See the call')}
      </Link>
    </span>
  );
}

function ResolveTest({ momentId }: { momentId: string }) {
  const act = useMomentAct(momentId);
  if (act.isSuccess) return <span className="muted">{t('It is resolved.')}</span>;
  return (
    <Button variant="default" loading={act.isPending} onClick={() => act.mutate({ name: 'resolve' })}>
      {t('Resolve it')}
    </Button>
  );
}
