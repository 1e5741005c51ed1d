import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import type { WebhookShown } from '../../../src/webhooks/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import rowClasses from '../moments/moment-row.module.css';
import { integrationName } from './integration-names.ts';
import { NewWebhook } from './new-webhook.tsx';
import { webhooksQuery } from './queries.ts';

/** The webhooks of a team. */
export function TeamWebhooks({ team, mayManage }: { team: TeamSummary; mayManage: boolean }) {
  const { data, error, refetch } = useQuery(webhooksQuery(team.slug));
  const [making, setMaking] = useState(false);
  const make = mayManage && (
    <Button variant="default" onClick={() => setMaking(true)}>
      {t('New webhook')}
    </Button>
  );
  return (
    <section className="stack" aria-label={t('Webhooks')}>
      <div className="row">
        <h2 className="grow">{t('Webhooks')}</h2>
        {data && data.webhooks.length > 0 && make}
      </div>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data?.webhooks.length === 0 && (
        <Empty action={make}>
          {t(
            'No tool reports to this team yet. A webhook is a URL that tools call; each report becomes a moment.',
          )}
        </Empty>
      )}
      {data && data.webhooks.length > 0 && (
        <div className="card lines">
          {data.webhooks.map((webhook) => (
            <WebhookLine key={webhook.id} webhook={webhook} />
          ))}
        </div>
      )}
      {making && <NewWebhook team={team} close={() => setMaking(false)} />}
    </section>
  );
}

function WebhookLine({ webhook }: { webhook: WebhookShown }) {
  const now = useNow(60_000);
  const { id, name, type, last_used_at, expires_at, expired, signed } = webhook;
  return (
    <article className={`opens ${rowClasses.row}`}>
      <div className="grow">
        <Link className={rowClasses.name} data-row to="/webhooks/$id" params={{ id }}>
          {name}
        </Link>
        <div className="muted">
          {integrationName(type)}
          {` · ${last_used_at ? t('called {time}', { time: shortTime(last_used_at, now) }) : t('never called')}`}
          {expires_at && !expired && ` · ${t('until {time}', { time: shortTime(expires_at, now) })}`}
        </div>
      </div>
      {signed && <Pill tone="none">{t('signed')}</Pill>}
      {expired && <Pill tone="watch">{t('expired')}</Pill>}
    </article>
  );
}
