import { Scroller } from '../kit/scroller.tsx';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import classes from './availability.module.css';
import type { Outcome, Row } from './upload.ts';

/** The most rows that are shown. */
const MOST = 300;
const MOST_SHIFTS = 50;

/** The parsed rows of a file, those with problems first, and the shifts that they affect. */
export function UploadTable({ outcome, zone, now }: { outcome: Outcome; zone: Zone; now: number }) {
  const { rows, problems, shifts, shiftsTotal } = outcome;
  const numbered = rows.map((row, index) => ({ ...row, number: index + 2 }));
  const wrong = numbered.filter((row) => row.problems.length > 0);
  const shown = [...wrong, ...numbered.filter((row) => row.problems.length === 0)].slice(0, MOST);
  return (
    <>
      {problems.length > 0 && (
        <ul className="card pad ink-alarm" style={{ margin: 0, paddingLeft: 32 }}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {shifts.length > 0 && (
        <section className="stack" aria-label={t('Affected shifts')}>
          <h2>{t('Affected shifts')}</h2>
          <div className="card lines">
            {shifts.slice(0, MOST_SHIFTS).map((shift) => (
              <div key={shift.id} className="line wrap">
                <b>{shift.organization_user.username}</b>
                <span className="grow muted">
                  {t('{schedule}, stage {stage}', { schedule: shift.schedule.name, stage: shift.stage })}
                </span>
                <span className="muted">
                  {zone.moment(Date.parse(shift.start_time), now)} –{' '}
                  {zone.moment(Date.parse(shift.end_time), now)}
                </span>
                <span className="mono faint">{t('row {row}', { row: shift.row })}</span>
              </div>
            ))}
            {shiftsTotal > MOST_SHIFTS && (
              <div className="line muted">{t('and {count} more', { count: shiftsTotal - MOST_SHIFTS })}</div>
            )}
          </div>
        </section>
      )}
      {shown.length > 0 && (
        <Scroller label={t('Rows')}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('Row')}</th>
                <th scope="col">{t('Who')}</th>
                <th scope="col">{t('From')}</th>
                <th scope="col">{t('To')}</th>
                <th scope="col">{t('Label')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Line key={row.number} row={row} zone={zone} now={now} />
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
      {rows.length > shown.length && (
        <p className="muted">
          {t('and {count, plural, one {# more row} other {# more rows}}', {
            count: rows.length - shown.length,
          })}
        </p>
      )}
    </>
  );
}

function Line({ row, zone, now }: { row: Row & { number: number }; zone: Zone; now: number }) {
  const time = (at: string | null) => (at === null ? '–' : zone.moment(Date.parse(at), now));
  return (
    <tr data-wrong={row.problems.length > 0 ? '' : undefined}>
      <td className="mono">{row.number}</td>
      <td>
        {row.who || '–'}
        {row.problems.map((problem) => (
          <div key={problem} className="ink-alarm">
            {problem}
          </div>
        ))}
      </td>
      <td className="tabular">{time(row.from)}</td>
      <td className="tabular">{time(row.to)}</td>
      <td>{row.name}</td>
    </tr>
  );
}
