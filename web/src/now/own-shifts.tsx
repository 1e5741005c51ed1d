import { Link } from '@tanstack/react-router';
import type { OwnShift } from '../../../src/schedules/api-contract.ts';
import { Empty, Loading } from '../kit/states.tsx';
import { dateOf, shortTime } from '../kit/time.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { lengthWords, waitWords } from './length-words.ts';
import classes from './now.module.css';

/** The viewer's next shifts: when they begin and how long they last. */
export function OwnShifts({ shifts, read, now }: { shifts: readonly OwnShift[]; read: boolean; now: Date }) {
  return (
    <section className="stack" aria-label={t('Your next shifts')}>
      <div className="row">
        <h2 className="grow">{t('Your next shifts')}</h2>
        <Link to="/availability" className="link">
          {t('Set your availability')}
        </Link>
      </div>
      {!read && <Loading rows={1} />}
      {read && shifts.length === 0 && <Empty>{t('No shift is planned for you.')}</Empty>}
      {shifts.length > 0 && (
        <div className="card lines">
          {shifts.map((shift) => (
            <Shift key={`${shift.schedule.id} ${shift.stage} ${shift.starts_at}`} shift={shift} now={now} />
          ))}
        </div>
      )}
    </section>
  );
}

function Shift({ shift: { schedule, stage, starts_at, ends_at }, now }: { shift: OwnShift; now: Date }) {
  const [from, to] = [Date.parse(starts_at), Date.parse(ends_at)];
  const running = from <= now.getTime();
  return (
    <div className="line opens">
      <div className="grow">
        <Link
          to="/schedules/$id"
          params={{ id: schedule.id }}
          search={{ at: dateOf(starts_at) }}
          className={classes.name}
          data-row
        >
          {t('{schedule}, stage {stage}', { schedule: schedule.name, stage })}
        </Link>
        <div className="muted">
          {running ? (
            <Rich
              text="since {from} until {until}"
              from={<When at={starts_at} now={now} />}
              until={shortTime(ends_at, now)}
            />
          ) : (
            <Rich
              text="{from} until {until}"
              from={<When at={starts_at} now={now} />}
              until={shortTime(ends_at, now)}
            />
          )}
        </div>
      </div>
      <span className={classes.length}>
        {running ? (
          <span className="ink-calm">
            {t('you are on call, {time} left', { time: lengthWords(to - now.getTime()) })}
          </span>
        ) : (
          waitWords(from - now.getTime())
        )}
        <br />
        <span className="faint">{lengthWords(to - from)}</span>
      </span>
    </div>
  );
}
