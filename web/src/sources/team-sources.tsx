import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import type { SourceShown } from '../../../src/sources/api-contract.ts';
import { problemsQuery } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import rowClasses from '../moments/moment-row.module.css';
import { integrationName } from '../webhooks/integration-names.ts';
import { NewSource } from './new-source.tsx';
import { sourcesQuery } from './queries.ts';
import { lastCallOf, sourceState } from './state.ts';

/** The page sources of a team. */
export function TeamSources({ team, mayManage }: { team: TeamSummary; mayManage: boolean }) {
  const { data, error, refetch } = useQuery(sourcesQuery(team.slug));
  // The step of the set-up opens the form by its address.
  const isMaking = useSearch({ from: '/teams/$slug' }).create === 'source' && mayManage;
  const navigate = useNavigate();
  const show = (search: { create?: 'source' }) =>
    void navigate({
      to: '/teams/$slug',
      params: { slug: team.slug },
      search,
      replace: true,
      resetScroll: false,
    });
  const make = mayManage && (
    <Button variant="default" onClick={() => show({ create: 'source' })}>
      {t('New page source')}
    </Button>
  );
  return (
    <section className="stack" aria-label={t('Page sources')}>
      <div className="row">
        <h2 className="grow">{t('Page sources')}</h2>
        {data && data.sources.length > 0 && make}
      </div>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data?.sources.length === 0 && (
        <Empty action={make}>
          {t('No monitoring system pages this team yet. A page source gives it a URL or key to do so.')}
        </Empty>
      )}
      {data && data.sources.length > 0 && (
        <div className="card lines">
          {data.sources.map((source) => (
            <SourceLine key={source.id} source={source} />
          ))}
        </div>
      )}
      {isMaking && <NewSource team={team} close={() => show({})} />}
    </section>
  );
}

function SourceLine({ source }: { source: SourceShown }) {
  const now = useNow(60_000);
  const problems = useQuery(problemsQuery).data?.problems ?? [];
  const { id, name, type, expires_at, expired, key_last4 } = source;
  const called = lastCallOf(source);
  const state = sourceState(source, problems);
  return (
    <article className={`opens ${rowClasses.row}`}>
      <div className="grow">
        <Link className={rowClasses.name} data-row to="/sources/$id" params={{ id }}>
          {name}
        </Link>
        <div className="muted">
          {integrationName(type)}
          {key_last4 && ` · ${t('key {key}', { key: `…${key_last4}` })}`}
          {called && ` · ${t('called {time}', { time: shortTime(called, now) })}`}
          {expires_at && !expired && ` · ${t('until {time}', { time: shortTime(expires_at, now) })}`}
        </div>
      </div>
      {state && <Pill tone={state.tone}>{state.word}</Pill>}
    </article>
  );
}
