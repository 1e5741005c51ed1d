import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TeamNow } from '../../../src/schedules/api-contract.ts';
import { peopleQuery, sessionQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import { methodsQuery } from '../profile/queries.ts';
import classes from './now.module.css';

type Hint = { what: string; why: string; link: LinkProps };

/** The remaining steps of the setup, the next one first; nothing once it is complete. */
export function Hints({ teams }: { teams: readonly TeamNow[] }) {
  const session = useQuery(sessionQuery).data;
  const methods = useQuery(methodsQuery).data;
  const people = useQuery(peopleQuery).data?.people;
  if (!session || !methods || !people || teams.length === 0) return null;
  const manages = session.user.role !== 'member';
  const bare = teams.find(({ mine, schedules }) => mine && schedules.length === 0);
  const hints: (Hint | false | undefined)[] = [
    methods.reachable_by !== 'contact_method' && {
      what: t('You are reached only while this dashboard is open'),
      why: t('Add a phone number, an email address, or push on this device.'),
      link: { to: '/profile' },
    },
    manages &&
      bare && {
        what: t('{team} has no schedule', { team: bare.name }),
        why: t('A page to the team notifies every member at once; a schedule says whose turn it is.'),
        link: { to: '/schedules/new' },
      },
    manages &&
      people.length === 1 && {
        what: t('You are the only one here'),
        why: t('Invite the others; they sign in by a link.'),
        link: { to: '/people' },
      },
  ];
  const open = hints.filter((hint): hint is Hint => Boolean(hint));
  if (open.length === 0) return null;
  return (
    <section className="stack" aria-label={t('To set up')}>
      <div className="row">
        <h2 className="grow">{t('To set up')}</h2>
        <Link to="/set-up" className="link">
          {t('All steps')}
        </Link>
      </div>
      <div className="card lines">
        {open.map(({ what, why, link }) => (
          <div key={what} className="line opens">
            <span className="dot ink-info" />
            <span className="grow">
              <Link {...link} className={classes.name} data-row>
                {what}
              </Link>
              <br />
              <span className="muted">{why}</span>
            </span>
            <span className="faint" aria-hidden="true">
              →
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}
