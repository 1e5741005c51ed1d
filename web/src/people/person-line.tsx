import { Link } from '@tanstack/react-router';
import type { PersonSummary } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { Avatar } from './avatar.tsx';
import classes from './people.module.css';
import { ReachPill } from './reach-pill.tsx';
import { roleName } from './role-names.ts';

/** One person in the list. */
export function PersonLine({ person }: { person: PersonSummary }) {
  const now = useNow(60_000);
  const { id, name, email, role, teams, on_call: onCall, why_not_in_short: why, disabled } = person;
  return (
    <li className={`line opens ${classes.person}`}>
      <Avatar person={person} size={32} />
      <div className={`grow ${classes.who}`}>
        <div className="row wrap" style={{ gap: '2px 8px' }}>
          <Link className={classes.name} data-row to="/people/$id" params={{ id }}>
            {name}
          </Link>
          {role !== 'member' && <Pill tone="none">{roleName(role)}</Pill>}
        </div>
        <div className="muted" style={{ overflowWrap: 'anywhere' }}>
          {[email, ...teams.map((team) => team.name)].join(' · ')}
        </div>
        {!disabled && why && <div className="muted">{capital(why)}</div>}
      </div>
      <div className={classes.state}>
        <ReachPill {...person} />
        {!disabled && <LastReached person={person} now={now} />}
        {onCall.map(({ schedule, stage, until }) => (
          <span key={`${schedule.id} ${stage}`} className="muted">
            {t('on call: {schedule}, stage {stage}, until {time}', {
              schedule: schedule.name,
              stage,
              time: shortTime(until, now),
            })}
          </span>
        ))}
      </div>
    </li>
  );
}

/** When the person was last known to be reachable: a provider accepted a page for them, or they verified a code. */
function LastReached({ person, now }: { person: PersonSummary; now: Date }) {
  const times = [person.reached_at, person.proved_at].filter((at) => at !== null);
  const latest = times.toSorted().at(-1);
  return (
    <span className="muted">
      {latest ? (
        <Rich text="last reached {when}" when={<When at={latest} now={now} />} />
      ) : (
        t('not reached yet')
      )}
    </span>
  );
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
