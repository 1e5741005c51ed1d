import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TeamDetail } from '../../../src/people/team-api-contract.ts';
import { onCallQuery } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { TeamCard } from '../now/team-card.tsx';

/** Who is on call for the team now, with the schedules. */
export function TeamOnCall({ detail: { team, schedules } }: { detail: TeamDetail }) {
  const now = useNow(30_000);
  const onCall = useQuery(onCallQuery).data?.teams.find(({ id }) => id === team.id);
  return (
    <section className="stack" aria-label={t('On call')}>
      <div className="row">
        <h2 className="grow">{t('On call')}</h2>
        <Link className="link" to="/pages" search={{ show: 'all', team: team.id }}>
          {t('Pages of the team')}
        </Link>
      </div>
      {onCall ? <TeamCard team={onCall} now={now} /> : null}
      {schedules.length === 0 && !onCall && (
        <Empty>{t('It has no schedule, so a page notifies every member.')}</Empty>
      )}
      {schedules.length > 0 && (
        <div className="row wrap">
          {schedules.map(({ id, name, enabled }) => (
            <span key={id} className="row" style={{ gap: 8 }}>
              <Link className="link" to="/schedules/$id" params={{ id }}>
                {name}
              </Link>
              {!enabled && <Pill tone="none">{t('switched off')}</Pill>}
            </span>
          ))}
        </div>
      )}
    </section>
  );
}
