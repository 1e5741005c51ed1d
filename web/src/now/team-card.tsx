import { Link } from '@tanstack/react-router';
import type { TeamNow } from '../../../src/schedules/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { Avatar, usePersonColour } from '../people/avatar.tsx';
import { namesOf } from '../people/names.ts';
import { CoveragePill } from '../schedules/coverage-pill.tsx';
import { ShadowsNow } from '../schedules/shadows.tsx';
import classes from './now.module.css';

type Schedule = TeamNow['schedules'][number];
type Shift = Schedule['stages'][number]['now'][number];

/** Who is on call for a team, until when, and who is next. */
export function TeamCard({ team, now }: { team: TeamNow; now: Date }) {
  return (
    <article className="card pad stack" style={{ gap: 10 }}>
      <div className="row">
        <Link to="/teams/$slug" params={{ slug: team.slug }} className={`grow ${classes.team}`}>
          {team.name}
        </Link>
        {team.schedules.length === 0 ? (
          <Pill tone="none">{t('no schedule')}</Pill>
        ) : (
          <CoveragePill schedules={team.schedules} now={now} />
        )}
      </div>
      {team.schedules.length === 0 && (
        <span className="muted">{t('Without a schedule, a page reaches every member.')}</span>
      )}
      {team.schedules.map((schedule) => (
        <ScheduleLine key={schedule.id} schedule={schedule} named={team.schedules.length > 1} now={now} />
      ))}
    </article>
  );
}

function ScheduleLine({ schedule, named, now }: { schedule: Schedule; named: boolean; now: Date }) {
  const [first, ...others] = schedule.stages;
  const shift = first?.now[0];
  const onCall = others.filter(({ now: on }) => on.length > 0);
  return (
    <div className="stack" style={{ gap: 10 }}>
      {named && (
        <h3 className={classes.schedule}>
          <Link to="/schedules/$id" params={{ id: schedule.id }}>
            {schedule.name}
          </Link>
        </h3>
      )}
      {shift ? (
        <>
          <div className="row">
            <Avatar person={shift.person} />
            <span className="grow">
              <b>{namesOf(first.now.map(({ person }) => person))}</b>
              <br />
              <span className="muted">
                {shift.away
                  ? t('is away: the next stage is notified too')
                  : t('until {time}', { time: shortTime(shift.ends_at, now) })}
              </span>
              <ShadowsNow now={schedule.stages.flatMap(({ now: on }) => on)} />
            </span>
            {first.next && (
              <span className={classes.next}>
                {t('then {name}', { name: first.next.person?.name ?? t('nobody') })}
              </span>
            )}
          </div>
          <Progress shift={shift} now={now} />
        </>
      ) : (
        <span className="ink-alarm">
          {t('Nobody is on call.')}{' '}
          {schedule.backstop
            ? t('{name}, the backstop, would be paged.', { name: schedule.backstop.name })
            : t('Every member would be paged.')}
        </span>
      )}
      {(onCall.length > 0 || schedule.backstop) && (
        <div className={classes.rest}>
          {onCall.map(({ stage, now: on }) => (
            <span key={stage}>
              {t('stage {stage} {names}', { stage, names: namesOf(on.map(({ person }) => person)) })}
            </span>
          ))}
          {schedule.backstop && shift && (
            <span>{t('backstop {name}', { name: schedule.backstop.name })}</span>
          )}
        </div>
      )}
    </div>
  );
}

function Progress({ shift, now }: { shift: Shift; now: Date }) {
  const colour = usePersonColour(shift.person.id);
  const from = Date.parse(shift.starts_at);
  const share = (now.getTime() - from) / (Date.parse(shift.ends_at) - from);
  return (
    <div className={classes.bar} aria-hidden="true">
      <span style={{ width: `${Math.min(100, Math.max(2, share * 100))}%`, background: colour }} />
    </div>
  );
}
