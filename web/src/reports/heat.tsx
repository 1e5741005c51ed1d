import type { CSSProperties } from 'react';
import type { LoadReport } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { t } from '../language/t.ts';
import classes from './reports.module.css';
import { counted } from './words.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** When pages interrupt people, by each person's local time. */
export function Heat({ heat, interrupted_hours: all, sleep_hours_interrupted: asleep }: LoadReport) {
  const most = Math.max(1, ...heat.flat());
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Interruptions by hour')}>
      <h2>{t('Interruptions by hour')}</h2>
      <p className="muted">
        {all === 0
          ? t('Nobody was interrupted.')
          : `${counted(all, 'hour')} in which somebody was called, ${asleep === 0 ? 'none' : asleep} of them an hour of sleep; by each person’s own clock, without pages of low urgency.`}
      </p>
      {all > 0 && (
        <Scroller label={t('Interrupted hours by weekday and hour')}>
          <table className={classes.heat}>
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">{t('Day')}</span>
                </th>
                {HOURS.map((hour) => (
                  <th key={hour} scope="col">
                    <span className={hour % 3 === 0 ? undefined : 'visually-hidden'}>
                      {String(hour).padStart(2, '0')}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {DAYS.map((day, index) => (
                <tr key={day}>
                  <th scope="row" aria-label={day}>
                    {day.slice(0, 3)}
                  </th>
                  {HOURS.map((hour) => (
                    <Cell key={hour} {...{ day, hour, most }} count={heat[index]?.[hour] ?? 0} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
    </section>
  );
}

type CellProps = { day: string; hour: number; count: number; most: number };

function Cell({ day, hour, count, most }: CellProps) {
  const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
  return (
    <td
      style={{ '--heat': `${count === 0 ? 0 : 18 + Math.round((count / most) * 62)}%` } as CSSProperties}
      title={`${day}, ${clock(hour)} to ${clock(hour + 1)}: ${counted(count, 'interrupted hour')}`}
    >
      {count === 0 ? <span className="visually-hidden">0</span> : count}
    </td>
  );
}
