import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TeamNow } from '../../../src/schedules/api-contract.ts';
import { type Problem, problemsQuery } from '../api/queries.ts';
import { Empty, Loading } from '../kit/states.tsx';
import { dateOf, shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { problemWords } from '../problems/words.ts';

/** Upcoming gaps and problems, each with a link to where it can be fixed. */
export function Attention({ teams, now }: { teams: readonly TeamNow[]; now: Date }) {
  const { data } = useQuery(problemsQuery);
  const problems = data?.problems ?? [];
  const gaps = teams.flatMap((team) =>
    team.schedules.flatMap((schedule) => (schedule.gap ? [{ team, schedule, gap: schedule.gap }] : [])),
  );
  return (
    <section className="stack" aria-label={t('Needs attention')}>
      <h2>{t('Needs attention')}</h2>
      {!data && <Loading rows={1} />}
      {data && problems.length + gaps.length === 0 && (
        <Empty>{t('Nothing: every channel works, and no stage is empty within the next two weeks.')}</Empty>
      )}
      {problems.length + gaps.length > 0 && (
        <div className="card lines">
          {gaps.map(({ team, schedule, gap }) => (
            <Line
              key={`${schedule.id} ${gap.stage}`}
              tone="alarm"
              link={{
                to: '/schedules/$id',
                params: { id: schedule.id },
                search: { at: dateOf(gap.starts_at) },
              }}
              what={gapWords(team.name, gap, now)}
              then={insteadWords(schedule, shortTime(gap.ends_at, now))}
            />
          ))}
          {problems.map((problem) => (
            <Line
              key={problem.id}
              tone="watch"
              link={{ to: '/problems' }}
              what={sinceWords(problem, now)}
              then={problem.fix}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Line({
  tone,
  link,
  what,
  then,
}: {
  tone: 'alarm' | 'watch';
  link: LinkProps;
  what: string;
  then: string;
}) {
  return (
    <div className="line opens" style={{ alignItems: 'baseline' }}>
      <span className={`dot ink-${tone}`} />
      <span className="grow">
        <Link {...link} data-row>
          {what}
        </Link>
        <br />
        <span className="muted">{then}</span>
      </span>
    </div>
  );
}

function insteadWords({ backstop, stages }: TeamNow['schedules'][number], time: string): string {
  if (stages.length > 1) return t('Until {time}, the other stages are paged instead.', { time });
  return backstop
    ? t('Until {time}, {name}, the backstop, is paged instead.', { time, name: backstop.name })
    : t('Until {time}, every member is paged instead.', { time });
}

function gapWords(
  team: string,
  { stage, starts_at }: { stage: number; starts_at: string },
  now: Date,
): string {
  return Date.parse(starts_at) <= now.getTime()
    ? t('{team} has nobody in stage {stage} now', { team, stage })
    : t('{team} has nobody in stage {stage} from {time}', { team, stage, time: shortTime(starts_at, now) });
}

function sinceWords(one: Problem, now: Date): string {
  const said = { problem: problemWords(one), time: shortTime(one.first_at, now) };
  return one.count > 1
    ? t('{problem} · {count} times since {time}', { ...said, count: one.count })
    : t('{problem} · since {time}', said);
}
