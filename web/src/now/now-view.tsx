import { useQuery } from '@tanstack/react-query';
import type { OwnShift } from '../../../src/schedules/api-contract.ts';
import { onCallQuery, type Problem, problemsQuery } from '../api/queries.ts';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { fullTime, longTime, shortTime, zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { OpenPages } from '../pages/open-pages.tsx';
import { CHANNEL_NAMES } from '../pages/words.ts';
import classes from './now.module.css';
import { TeamCard } from './team-card.tsx';

/** What matters this minute: open pages, who is on call, my next shifts, what does not work. */
export function NowView() {
  const now = useNow(15_000);
  const onCall = useQuery(onCallQuery);
  const problems = useQuery(problemsQuery).data?.problems ?? [];
  const gaps = (onCall.data?.teams ?? []).flatMap((team) =>
    team.schedules.flatMap(({ gap }) => (gap ? [{ team: team.name, gap }] : [])),
  );
  return (
    <div className="view">
      <header className="row wrap" style={{ columnGap: 12, rowGap: 0 }}>
        <h1>Now</h1>
        <span className="muted">
          {longTime(now)} {zoneName}
        </span>
      </header>
      <section className="stack" aria-label="Open pages">
        <h2>Open pages</h2>
        <OpenPages />
      </section>
      <section className="stack" aria-label="On call">
        <h2>On call</h2>
        {onCall.error && !onCall.data && <Failed error={onCall.error} again={() => void onCall.refetch()} />}
        {onCall.isPending && <Loading rows={1} />}
        {onCall.data?.teams.length === 0 && (
          <Empty>
            There is no team yet. Write one into a file and run: npm run -s tocsin -- apply FILE.yaml
          </Empty>
        )}
        <div className={classes.teams}>
          {onCall.data?.teams.map((team) => (
            <TeamCard key={team.id} team={team} now={now} />
          ))}
        </div>
      </section>
      <div className={classes.halves}>
        <section className="stack" aria-label="Your next shifts">
          <h2>Yours, next</h2>
          <Shifts shifts={onCall.data?.yours ?? []} now={now} />
        </section>
        <section className="stack" aria-label="Needs attention">
          <h2>Needs attention</h2>
          {problems.length + gaps.length === 0 ? (
            <Empty>Nothing: every channel works, and no stage is empty within a fortnight.</Empty>
          ) : (
            <div className="card lines">
              {gaps.map(({ team, gap }) => (
                <Attention
                  key={`${team} ${gap.starts_at} ${gap.stage}`}
                  tone="alarm"
                  what={`${team} has nobody in stage ${gap.stage} ${when(gap.starts_at, now)}`}
                  then={`Until ${shortTime(gap.ends_at, now)} the next stage or the backstop is paged instead.`}
                />
              ))}
              {problems.map((problem) => (
                <Attention
                  key={problem.id}
                  tone="watch"
                  what={problemWords(problem, now)}
                  then={problem.fix}
                />
              ))}
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

function Shifts({ shifts, now }: { shifts: OwnShift[]; now: Date }) {
  if (shifts.length === 0) return <Empty>No shift is planned for you.</Empty>;
  return (
    <div className="card lines">
      {shifts.map((shift) => {
        const running = Date.parse(shift.starts_at) <= now.getTime();
        return (
          <div className="line wrap" key={`${shift.schedule.id} ${shift.stage} ${shift.starts_at}`}>
            <time
              className={`mono muted ${classes.start}`}
              dateTime={shift.starts_at}
              title={fullTime(shift.starts_at)}
            >
              {running ? 'since ' : ''}
              {shortTime(shift.starts_at, now)}
            </time>
            <b>
              {shift.schedule.name}, stage {shift.stage}
            </b>
            <span className="muted">until {shortTime(shift.ends_at, now)}</span>
          </div>
        );
      })}
    </div>
  );
}

function Attention({ tone, what, then }: { tone: 'alarm' | 'watch'; what: string; then: string }) {
  return (
    <div className="line" style={{ alignItems: 'baseline' }}>
      <span className={`dot ink-${tone}`} />
      <span className="grow">
        {what}
        <br />
        <span className="muted">{then}</span>
      </span>
    </div>
  );
}

function when(at: string, now: Date): string {
  return Date.parse(at) <= now.getTime() ? 'now' : `from ${shortTime(at, now)}`;
}

function problemWords(problem: Problem, now: Date): string {
  const [kind, name] = problem.subject.split(':');
  const channel = CHANNEL_NAMES[name as keyof typeof CHANNEL_NAMES] ?? name;
  const what = kind === 'channel' ? `Notifications by ${channel} fail` : problem.subject;
  return `${what} since ${shortTime(problem.first_at, now)}${problem.count > 1 ? `, ${problem.count} times` : ''}`;
}
