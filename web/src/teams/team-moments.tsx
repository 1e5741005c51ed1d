import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TeamSummary } from '../../../src/people/team-api-contract.ts';
import { t } from '../language/t.ts';
import { MomentRow } from '../moments/moment-row.tsx';
import { teamMomentsQuery } from '../moments/queries.ts';

/** The newest few unresolved moments. */
export function TeamMoments({ team }: { team: TeamSummary }) {
  const { data } = useQuery(teamMomentsQuery(team.slug));
  const moments = data?.moments ?? [];
  return (
    <section className="stack" aria-label={t('Moments')}>
      <div className="row">
        <h2 className="grow">{t('Unresolved moments')}</h2>
        <Link className="link" to="/moments" search={{ team: team.slug }}>
          {t('All its moments')}
        </Link>
      </div>
      {data && moments.length === 0 && (
        <p className="muted">{t('None: nothing reported by its tools is open.')}</p>
      )}
      {moments.length > 0 && (
        <div className="card lines">
          {moments.map((moment) => (
            <MomentRow key={moment.id} moment={moment} />
          ))}
        </div>
      )}
    </section>
  );
}
