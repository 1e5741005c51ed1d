import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TeamNow } from '../../../src/schedules/api-contract.ts';
import { sessionQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import classes from './now.module.css';
import { TeamCard } from './team-card.tsx';

/** Cards that are shown at first: as many as fit on one screen. */
const FEW = 9;

/** Who is on call: the viewer's teams, teams with a gap, and others as far as there is room. */
export function OnCall({ query, now }: { query: UseQueryResult<{ teams: TeamNow[] }>; now: Date }) {
  const { data, error, refetch } = query;
  const [all, setAll] = useState(false);
  const teams = data?.teams ?? [];
  const shown = all ? teams : first(teams);
  return (
    <section className="stack" aria-label={t('On call')}>
      <h2>{t('On call')}</h2>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data && teams.length === 0 && <NoTeam />}
      <div className={classes.teams}>
        {shown.map((team) => (
          <TeamCard key={team.id} team={team} now={now} />
        ))}
      </div>
      {shown.length < teams.length && (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            {t('Show all {count} teams', { count: teams.length })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Keeps the order: the viewer's teams, those with a gap, and others up to the limit. */
function first(teams: readonly TeamNow[]): TeamNow[] {
  const needed = teams.filter(needsEyes);
  const room = Math.max(0, FEW - needed.length);
  const others = teams.filter((team) => !needsEyes(team)).slice(0, room);
  return teams.filter((team) => needed.includes(team) || others.includes(team));
}

function needsEyes({ mine, schedules }: TeamNow): boolean {
  return mine || schedules.some(({ gap, reachable }) => gap !== null || reachable !== 'on_call');
}

function NoTeam() {
  const role = useQuery(sessionQuery).data?.user.role ?? 'member';
  if (role === 'member')
    return <Empty>{t('You have no team yet. An owner or admin creates the first one.')}</Empty>;
  return (
    <Empty
      action={
        <Button component={Link} to="/first-page">
          {t('Create the first team')}
        </Button>
      }
    >
      {t('You have no team yet.')}
    </Empty>
  );
}
