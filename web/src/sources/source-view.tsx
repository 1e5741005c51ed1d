import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type SourceDetail, sourcesApi } from '../../../src/sources/api-contract.ts';
import { send } from '../api/call.ts';
import { useIsEnding } from '../api/ending.ts';
import { problemsQuery } from '../api/queries.ts';
import classes from '../kit/detail.module.css';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { TeamCrumb, ViewHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { Problem } from '../problems/problems-view.tsx';
import { integrationName } from '../webhooks/integration-names.ts';
import { RotateOrRevoke } from '../webhooks/rotate-or-revoke.tsx';
import { madeKeyQuery, sourceQuery } from './queries.ts';
import { SourceCalls } from './source-calls.tsx';
import { SourceForm } from './source-form.tsx';
import { SourceGuide } from './source-guide.tsx';
import { SourcePages } from './source-pages.tsx';
import { SourceRules } from './source-rules.tsx';
import { SourceWay } from './source-way.tsx';
import { lastCallOf, problemsOf, sourceState } from './state.ts';
import { useCalled } from './use-called.ts';

/** One page source: how to reach it, what it pages, what it received, and its settings. */
export function SourceView() {
  const { id } = useParams({ from: '/sources/$id' });
  const { data, error, refetch } = useQuery({ ...sourceQuery(id), enabled: !useIsEnding(id) });
  if (data) return <Source source={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such page source in your organization, or it was revoked.')}
      to="/teams"
      back={t('All teams')}
    />
  );
}

function Source({ source: saved }: { source: SourceDetail }) {
  const source = useCalled(saved);
  const { id, name, type, team, signed } = source;
  const open = useQuery(problemsQuery).data?.problems ?? [];
  const problems = problemsOf(id, open);
  const state = sourceState(source, open);
  // Until the first call, setting up the tool is the next thing to do; afterwards it is only looked up.
  const isNew = lastCallOf(source) === null;
  return (
    <div className="view">
      <ViewHead
        crumb={<TeamCrumb team={team} />}
        name={name}
        states={
          <>
            {state && (
              <Pill tone={state.tone} dot>
                {state.word}
              </Pill>
            )}
            {signed && <Pill tone="none">{t('signed')}</Pill>}
          </>
        }
        about={`${t('Page source · {type}', { type: integrationName(type) })} · ${t('times in {zone}', { zone: zoneName() })}`}
      >
        {source.may_manage && <SourceMenu source={source} />}
      </ViewHead>
      {problems.map((problem) => (
        <Problem key={problem.id} problem={problem} linked={false} />
      ))}
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 24 }}>
          <SourceWay source={source} />
          {isNew && <SourceGuide type={type} url={source.url} />}
          <SourcePages source={source} />
          {/* Calls of heartbeats have no content, and are not stored. */}
          {source.heartbeat === null && <SourceCalls source={source} />}
          <SourceRules source={source} />
          {source.may_manage && <SourceForm source={source} />}
        </div>
        <aside className={`stack ${classes.first}`} style={{ gap: 20 }}>
          <Facts source={source} />
        </aside>
      </div>
      {!isNew && (
        <div className={classes.columns}>
          <SourceGuide type={type} url={source.url} />
        </div>
      )}
    </div>
  );
}

/** When it was called and made, and how a heartbeat is. */
function Facts({ source }: { source: SourceDetail }) {
  const { heartbeat, interval_minutes, created_at, created_by } = source;
  const now = useNow(60_000);
  const called = lastCallOf(source);
  return (
    <section className="stack" aria-label={t('State')}>
      <h2>{t('State')}</h2>
      <div className="card pad stack tight">
        <span>
          {called ? (
            <Rich text="Last call {when}" when={<When at={called} now={now} />} />
          ) : (
            t('Never called')
          )}
        </span>
        {interval_minutes !== null && (
          <span>{t('Expected every {minutes} min', { minutes: interval_minutes })}</span>
        )}
        {heartbeat?.late_since ? (
          <span className="ink-alarm">
            <Rich text="Late since {when}" when={<When at={heartbeat.late_since} now={now} />} />
          </span>
        ) : (
          heartbeat?.due_at && (
            <span>
              <Rich text="Next call due {when}" when={<When at={heartbeat.due_at} now={now} />} />
            </span>
          )
        )}
        {heartbeat?.state === 'waiting' && (
          <span className="muted">{t('It does not page anyone until its first call.')}</span>
        )}
        <span className="muted">
          {created_by ? (
            <Rich
              text="Created {when} by {who}"
              when={<When at={created_at} now={now} />}
              who={created_by.name}
            />
          ) : (
            <Rich text="Created {when} on the command line" when={<When at={created_at} now={now} />} />
          )}
        </span>
      </div>
    </section>
  );
}

function SourceMenu({ source: { id, name, team, key_last4 } }: { source: SourceDetail }) {
  const client = useQueryClient();
  return (
    <RotateOrRevoke
      of={{
        ...{ id, name, team, way: key_last4 === null ? 'URL' : 'key' },
        async rotate({ oldUntil, key }) {
          const body = { old_until: oldUntil, ...(key === null ? {} : { key }) };
          const { key: made, ...changed } = await send(sourcesApi.rotate, { params: { id }, body });
          client.setQueryData(['sources', 'one', id], changed);
          if (made !== null) client.setQueryData(madeKeyQuery(id).queryKey, made);
        },
        revoke: () => send(sourcesApi.revoke, { params: { id } }),
        revoked() {
          void client.invalidateQueries({ queryKey: ['sources', 'list'] });
          void client.invalidateQueries({ queryKey: ['teams'] });
        },
      }}
    />
  );
}
