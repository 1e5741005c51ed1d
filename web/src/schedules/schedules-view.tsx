import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ScheduleListed } from '../../../src/schedules/settings-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { areReady } from '../kit/ready.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { shortTime, zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { namesOf } from '../people/names.ts';
import { CoveragePill } from './coverage-pill.tsx';
import { Waiting } from './covers-for-me.tsx';
import { coversForMeQuery } from './covers-query.ts';
import { schedulesQuery } from './queries.ts';
import classes from './schedules.module.css';
import { ShadowsNow } from './shadows.tsx';

/** All schedules, with who is on call and their coverage. */
export function SchedulesView() {
  const asked = useQuery(schedulesQuery);
  const { error, refetch } = asked;
  const data = areReady(asked, useQuery(coversForMeQuery)) ? asked.data : undefined;
  const now = useNow(30_000);
  const mayMake = (data?.may_make_for.length ?? 0) > 0;
  const make = mayMake && (
    <Button component={Link} to="/schedules/new">
      {t('New schedule')}
    </Button>
  );
  return (
    <div className="view">
      <ListHead name={t('Schedules')} about={t('times in {zone}', { zone: zoneName() })}>
        {data && data.schedules.length > 0 && make}
      </ListHead>
      {!data && <Unread error={error} again={refetch} rows={4} />}
      {data?.schedules.length === 0 && (
        <Empty action={make}>
          {mayMake
            ? t('A schedule says who is on call when. You have none yet.')
            : t(
                'A schedule says who is on call when. You have none yet; a manager of the team creates the first one.',
              )}
        </Empty>
      )}
      {data && <Waiting now={now} />}
      {data && data.schedules.length > 0 && (
        <div className="card lines">
          {data.schedules.map((schedule) => (
            <ScheduleLine key={schedule.id} schedule={schedule} now={now} />
          ))}
        </div>
      )}
    </div>
  );
}

function ScheduleLine({ schedule, now }: { schedule: ScheduleListed; now: Date }) {
  const { id, name, team, enabled, stages } = schedule;
  const first = stages.find(({ now: on }) => on.length > 0);
  const [shift] = first?.now ?? [];
  return (
    <div className="line opens">
      {shift ? (
        <Avatar person={shift.person} size={30} />
      ) : (
        <span className={classes.nobody} aria-hidden="true" />
      )}
      <div className="grow">
        <Link to="/schedules/$id" params={{ id }} className={classes.name} data-row>
          {name}
        </Link>{' '}
        <span className="muted">{team.name}</span>
        <div className="muted">
          {first && shift ? (
            <>
              <Rich
                text="{who}{where, select, other { in stage {stage}} first {}} until {time}{after, select, some {, then {next}} other {}}"
                who={<b className={classes.who}>{namesOf(first.now.map(({ person }) => person))}</b>}
                where={first.stage === stages[0]?.stage ? 'first' : 'later'}
                stage={first.stage}
                time={shortTime(shift.ends_at, now)}
                after={first.next ? 'some' : 'none'}
                next={first.next?.person?.name ?? t('nobody')}
              />
              <ShadowsNow now={stages.flatMap(({ now: on }) => on)} />
            </>
          ) : (
            <span className={enabled ? 'ink-alarm' : ''}>
              {enabled ? nobodyNow(schedule) : t('Takes no part in paging.')}
            </span>
          )}
        </div>
      </div>
      <Health schedule={schedule} now={now} />
    </div>
  );
}

function nobodyNow({ backstop }: ScheduleListed): string {
  return backstop
    ? t('Nobody is on call; {name}, the backstop, would be paged.', { name: backstop.name })
    : t('Nobody is on call.');
}

function Health({ schedule, now }: { schedule: ScheduleListed; now: Date }) {
  if (!schedule.enabled) return <Pill tone="none">{t('disabled')}</Pill>;
  if (!schedule.backstop && !schedule.gap && schedule.reachable === 'on_call')
    return (
      <Pill tone="watch" dot>
        {t('no backstop')}
      </Pill>
    );
  return <CoveragePill schedules={[schedule]} now={now} />;
}
