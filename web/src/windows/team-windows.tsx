import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { sessionQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { teamWindowsQuery } from './queries.ts';
import { SelectableWindows } from './selectable-windows.tsx';
import { WindowDialog } from './window-dialog.tsx';
import { WindowRow } from './window-row.tsx';

/** The maintenance windows and silences of a team: those now and coming, and on demand those that ended. */
export function TeamWindows({ team }: { team: TeamSummary }) {
  const session = useQuery(sessionQuery).data;
  // As the service decides: people of the team, admins and owners.
  const mayCreate =
    session && (session.user.role !== 'member' || session.teams.some(({ id }) => id === team.id));
  const now = useNow(30_000);
  const [making, setMaking] = useState(false);
  const [ended, setEnded] = useState(false);
  const { data, error, refetch } = useQuery(teamWindowsQuery(team.slug, false));
  const make = mayCreate && (
    <Button variant="default" onClick={() => setMaking(true)}>
      {t('New window')}
    </Button>
  );
  return (
    <section className="stack" aria-label={t('Maintenance windows')}>
      <div className="row">
        <h2 className="grow">{t('Maintenance windows and silences')}</h2>
        {data && data.windows.length > 0 && make}
      </div>
      {!data && <Unread error={error} again={refetch} rows={1} />}
      {data?.windows.length === 0 && (
        <Empty action={make}>
          {t(
            'None active or planned. During a maintenance window, alerts from this team’s sources do not page anyone.',
          )}
        </Empty>
      )}
      {data && data.windows.length > 0 && (
        <SelectableWindows windows={data.windows}>
          <div className="card lines">
            {data.windows.map((window) => (
              <WindowRow key={window.id} window={window} now={now} />
            ))}
          </div>
        </SelectableWindows>
      )}
      {ended ? (
        <Ended team={team} now={now} />
      ) : (
        <div>
          <Button variant="transparent" px={0} h={24} onClick={() => setEnded(true)}>
            {t('Show ended')}
          </Button>
        </div>
      )}
      {making && <WindowDialog team={team} close={() => setMaking(false)} />}
    </section>
  );
}

function Ended({ team, now }: { team: TeamSummary; now: Date }) {
  const { data, error, refetch } = useQuery(teamWindowsQuery(team.slug, true));
  if (!data) return <Unread error={error} again={refetch} rows={1} />;
  if (data.windows.length === 0) return <p className="muted">{t('None ended within the last 400 days.')}</p>;
  return (
    <div className="card lines">
      {data.windows.map((window) => (
        <WindowRow key={window.id} window={window} now={now} />
      ))}
    </div>
  );
}
