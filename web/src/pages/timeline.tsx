import type { PageDetail, TimelineEntry } from '../../../src/pages/api-contract.ts';
import { Markdown } from '../kit/markdown.tsx';
import { clockTime, countdown, exactTime, fullTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import classes from './timeline.module.css';
import { folded } from './timeline-rounds.ts';
import { entryWords, upcomingWords } from './timeline-words.ts';

/** What happened, to the millisecond, and below it what will happen. */
export function Timeline({ detail }: { detail: PageDetail }) {
  const now = useNow(detail.upcoming.length > 0 ? 1_000 : 60_000);
  return (
    <ol className={classes.timeline}>
      {folded(detail.timeline).map((part, index) =>
        part.kind === 'shown' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
          <Entry key={index} entry={part.entry} />
        ) : (
          <FormerRound key={`${part.entries[0]?.at} ${part.words}`} {...part} />
        ),
      )}
      {detail.upcoming.map((entry) => (
        <li key={`${entry.at} ${JSON.stringify(entry)}`} className={classes.entry} data-upcoming>
          <time className={`mono faint ${classes.time}`} dateTime={entry.at} title={fullTime(entry.at)}>
            {clockTime(entry.at)}
          </time>
          <span className={`${classes.rail} ink-none`} />
          <div className={`${classes.words} muted`}>
            {inTime(upcomingWords(entry), Date.parse(entry.at) - now.getTime())}
          </div>
        </li>
      ))}
    </ol>
  );
}

function inTime(what: string, ms: number): string {
  return ms <= 0 ? t('{what}, in a moment', { what }) : t('{what}, in {time}', { what, time: countdown(ms) });
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { tone, what, proof } = entryWords(entry);
  return (
    <li className={classes.entry}>
      <time className={`mono faint ${classes.time}`} dateTime={entry.at} title={fullTime(entry.at)}>
        {exactTime(entry.at)}
      </time>
      <span className={`${classes.rail} ink-${tone}`} />
      <div className={classes.words}>
        <span className={entry.kind === 'notified' || entry.kind === 'raised' ? classes.strong : undefined}>
          {what}
        </span>
        {proof && (
          <div className="muted wordwrap">{entry.kind === 'comment' ? <Markdown text={proof} /> : proof}</div>
        )}
      </div>
    </li>
  );
}

/** An earlier round as one line that can be opened. */
function FormerRound({ words, entries }: { words: string; entries: readonly TimelineEntry[] }) {
  const [first] = entries;
  return (
    <li>
      <details className={classes.round}>
        <summary className={classes.entry}>
          {first && (
            <time className={`mono faint ${classes.time}`} dateTime={first.at} title={fullTime(first.at)}>
              {exactTime(first.at)}
            </time>
          )}
          <span className={`${classes.rail} ink-watch`} />
          <span className={`${classes.words} ${classes.strong}`}>
            {words}
            <span className={`${classes.fold} ${classes.whenFolded}`}>{t('Show')}</span>
            <span className={`${classes.fold} ${classes.whenOpen}`}>{t('Hide')}</span>
          </span>
        </summary>
        <ol className={classes.timeline}>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an earlier round no longer changes
            <Entry key={index} entry={entry} />
          ))}
        </ol>
      </details>
    </li>
  );
}
