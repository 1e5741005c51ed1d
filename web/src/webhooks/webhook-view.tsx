import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { useIsEnding } from '../api/ending.ts';
import classes from '../kit/detail.module.css';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { TeamCrumb, ViewHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { Guide } from './guide.tsx';
import { integrationName } from './integration-names.ts';
import { LastCalls } from './last-calls.tsx';
import { webhookQuery } from './queries.ts';
import { TryIt } from './try-it.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookMenu } from './webhook-menu.tsx';
import { WebhookUrl } from './webhook-url.tsx';

/** One webhook: its URL, how to set it up, its calls, and its settings. */
export function WebhookView() {
  const { id } = useParams({ from: '/webhooks/$id' });
  const { data, error, refetch } = useQuery({ ...webhookQuery(id), enabled: !useIsEnding(id) });
  if (data) return <Webhook webhook={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such webhook in your organization, or it was revoked.')}
      to="/teams"
      back={t('All teams')}
    />
  );
}

function Webhook({ webhook }: { webhook: WebhookDetail }) {
  const { name, type, team, expired, signed, created_at, created_by, last_used_at } = webhook;
  const now = useNow(60_000);
  return (
    <div className="view">
      <ViewHead
        crumb={<TeamCrumb team={team} />}
        name={name}
        states={
          <>
            {expired && <Pill tone="watch">{t('expired')}</Pill>}
            {signed && <Pill tone="none">{t('signed')}</Pill>}
          </>
        }
        about={
          <>
            {integrationName(type)} ·{' '}
            {created_by ? (
              <Rich
                text="created {when} by {who}"
                when={<When at={created_at} now={now} />}
                who={created_by.name}
              />
            ) : (
              <Rich text="created {when} on the command line" when={<When at={created_at} now={now} />} />
            )}
            {' · '}
            {last_used_at ? (
              <Rich text="last called {when}" when={<When at={last_used_at} now={now} />} />
            ) : (
              t('never called')
            )}
            {` · ${t('times in {zone}', { zone: zoneName() })}`}
          </>
        }
      >
        {webhook.may_manage && <WebhookMenu webhook={webhook} />}
      </ViewHead>
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 24 }}>
          <WebhookUrl webhook={webhook} />
          <TryIt webhook={webhook} />
          {webhook.may_manage && <WebhookForm webhook={webhook} />}
        </div>
        <aside className="stack" style={{ gap: 20 }}>
          <LastCalls webhookId={webhook.id} />
        </aside>
      </div>
      <div className={classes.columns}>
        <Guide type={type} url={webhook.url} />
      </div>
    </div>
  );
}
