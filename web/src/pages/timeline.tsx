import type { PageDetail } from '../../../src/pages/api-contract.ts';
import { clockTime, countdown, exactTime, fullTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import classes from './timeline.module.css';
import { entryWords, upcomingWords } from './timeline-words.ts';

/** What happened, to the millisecond, and below it what will. */
export function Timeline({ detail }: { detail: PageDetail }) {
  const now = useNow(detail.upcoming.length > 0 ? 1_000 : 60_000);
  return (
    <ol className={classes.timeline}>
      {detail.timeline.map((entry, index) => {
        const { tone, what, proof } = entryWords(entry);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
          <li key={index} className={classes.entry}>
            <time className={`mono faint ${classes.time}`} dateTime={entry.at} title={fullTime(entry.at)}>
              {exactTime(entry.at)}
            </time>
            <span className={`${classes.rail} ink-${tone}`} />
            <div className={classes.words}>
              <span
                className={entry.kind === 'asked' || entry.kind === 'raised' ? classes.strong : undefined}
              >
                {what}
              </span>
              {proof && <div className="muted wordwrap">{proof}</div>}
            </div>
          </li>
        );
      })}
      {detail.upcoming.map((entry) => (
        <li key={`${entry.at} ${JSON.stringify(entry)}`} className={classes.entry} data-upcoming>
          <time className={`mono faint ${classes.time}`} dateTime={entry.at} title={fullTime(entry.at)}>
            {clockTime(entry.at)}
          </time>
          <span className={`${classes.rail} ink-none`} />
          <div className={`${classes.words} muted`}>
            {upcomingWords(entry)}, in{' '}
            {countdown(Date.parse(entry.at) - now.getTime()).replace('now', 'a moment')}
          </div>
        </li>
      ))}
    </ol>
  );
}
