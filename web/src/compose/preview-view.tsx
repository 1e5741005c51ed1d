import { useQuery } from '@tanstack/react-query';
import { shortNameOf } from '../../../src/notifications/channels/contract.ts';
import type {
  PreviewBody,
  PreviewNotification,
  PreviewPerson,
  PreviewStep,
} from '../../../src/pages/compose-api-contract.ts';
import { capital } from '../kit/detail.ts';
import { Pill } from '../kit/pill.tsx';
import { Failed, Loading } from '../kit/states.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { Rich } from '../language/rich.tsx';
import { listed, t, tIn } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import classes from './preview.module.css';
import { previewQuery } from './queries.ts';

/** Whom the page would reach, how and in which order, if nobody answered. */
export function PreviewView({ body }: { body: PreviewBody }) {
  const { data, error, isLoading, refetch } = useQuery(previewQuery(body));
  if (body.recipient === '')
    return (
      <p className="card pad muted">{t('Choose a recipient to see who would be notified, how and when.')}</p>
    );
  if (isLoading) return <Loading rows={2} />;
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : null;
  if (data.refused)
    return (
      <p className="card pad" role="alert">
        <span className="ink-alarm">{t('It would reach nobody.')}</span> {capital(data.refused)}
      </p>
    );
  return <Steps steps={data.steps} />;
}

/** Who would be notified, one entry for each step, and the contact methods that do not work. */
export function Steps({ steps }: { steps: readonly PreviewStep[] }) {
  return (
    <>
      <ol className={classes.steps} aria-label={t('Who would be reached')}>
        {steps.map((step) => (
          <Step key={stepKey(step)} step={step} />
        ))}
      </ol>
      {problemsIn(steps).map((problem) => (
        <p key={problem} className="card pad">
          <Rich
            text="<watch>Does not work:</watch> {problem} A notification on it fails over to the next channel at once."
            watch={(words) => <span className="ink-watch">{words}</span>}
            problem={problem}
          />
        </p>
      ))}
    </>
  );
}

/** Several stages may be notified at the same time. */
function stepKey(step: PreviewStep): string {
  const who = step.kind === 'notify' ? `${step.as} ${step.stage} ${step.round}` : 'expire';
  return `${step.after_seconds} ${who}`;
}

function Step({ step }: { step: PreviewStep }) {
  return (
    <li className={classes.step}>
      <span className={classes.after}>{afterWords(step.after_seconds)}</span>
      {step.kind === 'expire' ? (
        <span className="muted">{t('The page expires, and every member of the team is notified.')}</span>
      ) : (
        <div className="stack" style={{ gap: 8 }}>
          <span className="muted">{stepWords(step)}</span>
          {step.people.map((one) => (
            <Notified key={one.person.id} notified={one} />
          ))}
        </div>
      )}
    </li>
  );
}

function Notified({ notified: { person, away_until, notifications } }: { notified: PreviewPerson }) {
  const now = useNow(60_000);
  return (
    <div className={classes.person}>
      <Avatar person={person} />
      <div className="grow">
        <b>{person.name}</b>
        {away_until && (
          <span className="ink-watch">
            {` · ${t('away until {time}, so the next stage is notified too', { time: shortTime(away_until, now) })}`}
          </span>
        )}
        {notifications.length === 0 && (
          <div className="ink-alarm">{t('No verified contact method: the page escalates at once.')}</div>
        )}
        {waysOf(notifications).map((way) => (
          <div key={`${way.channel} ${way.address}`} className={classes.way}>
            <span className="mono">
              {shortNameOf(way.channel)} {timesWords(way.times)}
            </span>{' '}
            <span className="faint">{way.address}</span>{' '}
            {way.problem && <Pill tone="watch">{t('does not work')}</Pill>}
          </div>
        ))}
      </div>
    </div>
  );
}

type Way = Omit<PreviewNotification, 'after_seconds'> & { times: number[] };

/** One entry for each address and channel, even when it is tried several times. */
function waysOf(notifications: readonly PreviewNotification[]): Way[] {
  const ways = new Map<string, Way>();
  for (const { after_seconds, ...rest } of notifications) {
    const name = `${rest.channel} ${rest.address}`;
    const way = ways.get(name) ?? { ...rest, times: [] };
    ways.set(name, { ...way, times: [...way.times, after_seconds] });
  }
  return [...ways.values()];
}

/** `at once`, `after 2, 4 and 6 min` */
function timesWords(times: readonly number[]): string {
  if (times.length === 1)
    return times[0] === 0 ? t('at once') : t('after {time}', { time: duration(times[0] ?? 0) });
  const minutes = times.map((seconds) => String(Math.round(seconds / 60)));
  return t('after {minutes} min', { minutes: listed(minutes) });
}

/** The problems of all notifications, without duplicates. */
function problemsIn(steps: readonly PreviewStep[]): string[] {
  const ways = steps
    .flatMap((step) => (step.kind === 'notify' ? step.people : []))
    .flatMap((one) => one.notifications);
  return [...new Set(ways.flatMap(({ problem }) => problem ?? []))];
}

function stepWords({ as, stage, round }: Extract<PreviewStep, { kind: 'notify' }>): string {
  if (stage !== null)
    return round > 1 ? t('Stage {stage}, round {round}', { stage, round }) : t('Stage {stage}', { stage });
  const direct = tIn('how a person was notified', 'Directly');
  return { backstop: t('The backstop'), person: direct, members: t('The whole team') }[as as string] ?? as;
}

function afterWords(seconds: number): string {
  return seconds === 0 ? t('At once') : t('After {time}', { time: duration(seconds) });
}

/** `45 s`, `15 min`, `24 h` */
function duration(seconds: number): string {
  if (seconds < 60) return t('{s} s', { s: seconds });
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? t('{m} min', { m: minutes }) : t('{h} h', { h: Math.round(minutes / 60) });
}
