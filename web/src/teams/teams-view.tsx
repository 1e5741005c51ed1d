import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { ListHead } from '../kit/view-head.tsx';
import { commas, t } from '../language/t.ts';
import rowClasses from '../moments/moment-row.module.css';
import { NewTeam } from './new-team.tsx';
import { teamsQuery } from './queries.ts';

/** All teams, the viewer's own first. */
export function TeamsView() {
  const { data, error, refetch } = useQuery(teamsQuery);
  const [making, setMaking] = useState(false);
  const make = data?.may_create && <Button onClick={() => setMaking(true)}>{t('New team')}</Button>;
  return (
    <div className="view">
      <ListHead name={t('Teams')}>{data && data.teams.length > 0 && make}</ListHead>
      {!data && <Unread error={error} again={refetch} rows={4} />}
      {data?.teams.length === 0 && (
        <Empty action={make}>
          {t('Pages go to teams, and you have none yet.')}{' '}
          {data.may_create ? t('Create the first one.') : t('An owner or admin creates the first one.')}
        </Empty>
      )}
      {data && data.teams.length > 0 && (
        <div className="card lines">
          {data.teams.map((team) => (
            <TeamLine key={team.id} team={team} />
          ))}
        </div>
      )}
      {making && <NewTeam close={() => setMaking(false)} />}
    </div>
  );
}

function TeamLine({ team }: { team: TeamSummary }) {
  return (
    <article className={`opens ${rowClasses.row}`}>
      <div className="grow">
        <Link className={rowClasses.name} data-row to="/teams/$slug" params={{ slug: team.slug }}>
          {team.name}
        </Link>{' '}
        <span className="mono faint">{team.slug}</span>
        <div className="muted">{belongingWords(team)}</div>
      </div>
      {team.open_pages > 0 && (
        <Pill tone="watch">
          {t('{count, plural, one {# open page} other {# open pages}}', { count: team.open_pages })}
        </Pill>
      )}
      {team.own_role && (
        <Pill tone="none">{team.own_role === 'manager' ? t('you manage it') : t('yours')}</Pill>
      )}
    </article>
  );
}

/** `3 people, 1 schedule, no page source, 2 webhooks`. */
function belongingWords({ members, schedules, webhooks, sources }: TeamSummary): string {
  return commas([
    t('{count, plural, =0 {nobody} one {# person} other {# people}}', { count: members }),
    t('{count, plural, =0 {no schedule} one {# schedule} other {# schedules}}', { count: schedules }),
    t('{count, plural, =0 {no page source} one {# page source} other {# page sources}}', { count: sources }),
    t('{count, plural, =0 {no webhook} one {# webhook} other {# webhooks}}', { count: webhooks }),
  ]);
}
