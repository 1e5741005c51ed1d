import { Link } from '@tanstack/react-router';
import type { PersonDetail } from '../../../src/people/person-contract.ts';
import { Empty } from '../kit/states.tsx';
import { t } from '../language/t.ts';

/** The teams that a person is a member of. */
export function PersonTeams({ person }: { person: PersonDetail }) {
  const { teams } = person;
  return (
    <section className="stack" aria-label={t('Teams')}>
      <h2>{t('Teams')}</h2>
      {teams.length === 0 && <Empty>{t('In no team yet.')}</Empty>}
      {teams.length > 0 && (
        <div className="card lines">
          {teams.map(({ id, name, slug, role }) => (
            <div className="line" key={id}>
              <Link className="link grow" to="/teams/$slug" params={{ slug }}>
                {name}
              </Link>
              {role === 'manager' && <span className="muted">{t('manages it')}</span>}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
