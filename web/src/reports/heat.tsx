import type { CSSProperties } from 'react';
import { weekdayName } from '../../../src/calendars/repeat-words-contract.ts';
import type { LoadReport } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { hourOfDay, timeOfDay } from '../kit/time.ts';
import { t } from '../language/t.ts';
import type { Shown } from './queries.ts';
import classes from './reports.module.css';

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** When pages interrupt people, by each person's local time. */
export function Heat({ heat, interrupted_hours: all, sleep_hours_interrupted: asleep }: Shown<LoadReport>) {
  const most = Math.max(1, ...heat.flat());
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Interruptions by hour')}>
      <h2>{t('Interruptions by hour')}</h2>
      <p className="muted">
        {all === 0
          ? t('Nobody was interrupted.')
          : t(
              '{hours, plural, one {# hour} other {# hours}} in which somebody was paged, {asleep, plural, =0 {none} other {#}} of them while asleep, in each person’s own time zone; without low-urgency pages.',
              { hours: all, asleep },
            )}
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
                    <span className={hour % 3 === 0 ? classes.hour : 'visually-hidden'}>
                      {hourOfDay(hour)}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {DAYS.map((day) => (
                <tr key={day}>
                  <th scope="row" aria-label={weekdayName(day)}>
                    {weekdayName(day, 'short')}
                  </th>
                  {HOURS.map((hour) => (
                    <Cell
                      key={hour}
                      {...{ hour, most }}
                      day={weekdayName(day)}
                      count={heat[day]?.[hour] ?? 0}
                    />
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
  const clock = (at: number) => timeOfDay(`${String(at % 24).padStart(2, '0')}:00`);
  return (
    <td
      style={{ '--heat': `${count === 0 ? 0 : 18 + Math.round((count / most) * 62)}%` } as CSSProperties}
      title={t(
        '{day}, {from} to {to}: {count, plural, one {# interrupted hour} other {# interrupted hours}}',
        { day, from: clock(hour), to: clock(hour + 1), count },
      )}
    >
      {count === 0 ? <span className="visually-hidden">0</span> : count}
    </td>
  );
}
