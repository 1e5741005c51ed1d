import type { FairnessLine, FairnessReport } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { Rich } from '../language/rich.tsx';
import { commas, t, tIn } from '../language/t.ts';
import { PersonHead } from './person-head.tsx';
import classes from './reports.module.css';
import { figure, giniFigure, signed } from './words.ts';

const KINDS = ['day', 'night', 'weekend', 'holiday'] as const;
const NAMES = {
  day: tIn('hours on call', 'Day'),
  night: t('Night'),
  weekend: t('Weekend'),
  holiday: t('Holiday'),
} as const;

/** How much of each kind of load each person carries, and how far that is from an equal share. */
export function LoadTable({
  people,
  spread,
  marked,
}: Pick<FairnessReport, 'people' | 'spread'> & {
  /** The person whose row is highlighted. */
  marked: string | null;
}) {
  const lines = people.filter(({ hours, share }) => hours > 0 || share !== null);
  const most = Math.max(1, ...lines.map(({ hours }) => hours));
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Load per person')}>
      <h2>{t('Load per person')}</h2>
      <p>
        {spread.sentence}{' '}
        {lines.length > 1 && (
          <span className="muted">
            <Rich
              text="Gini coefficient: <b>{value}</b>, from 0 (equal) to 1 (one person has everything)."
              b={(value) => <b className="tabular">{value}</b>}
              value={giniFigure(spread.gini)}
            />
          </span>
        )}
      </p>
      {lines.length > 0 && (
        <>
          <Legend />
          <Scroller label={t('Load of each person')}>
            <table className={`${classes.table} ${classes.colours}`}>
              <thead>
                <tr>
                  <th scope="col">{t('Person')}</th>
                  <th scope="col" className={classes.bars}>
                    <span className="visually-hidden">{t('Hours by kind')}</span>
                  </th>
                  {[
                    t('Hours'),
                    t('Shifts'),
                    t('Night shifts'),
                    t('Weekend shifts'),
                    t('Holiday shifts'),
                    t('Burden'),
                    t('From share'),
                  ].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <Line key={line.person.id} line={line} most={most} marked={line.person.id === marked} />
                ))}
              </tbody>
            </table>
          </Scroller>
          <p className="faint">
            {t(
              'A shift counts as a night, weekend or holiday shift when about half of it is one, as in planning; the bars show every hour. Burden weighs these shifts as planning does. From share: shifts above or below the share of the time when the person was available.',
            )}
          </p>
        </>
      )}
    </section>
  );
}

function Legend() {
  return (
    <div className={`row wrap ${classes.legend} ${classes.colours}`} aria-hidden="true">
      {KINDS.map((kind) => (
        <span key={kind}>
          <i data-kind={kind} /> {NAMES[kind]}
        </span>
      ))}
    </div>
  );
}

/** Scrolls to the marked row, which may be far down in a long table. */
function show(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'center' });
}

function Line({ line, most, marked }: { line: FairnessLine; most: number; marked: boolean }) {
  const { person, hours, hours_by_kind: by, balance } = line;
  const words = commas(
    KINDS.filter((kind) => by[kind] > 0).map((kind) =>
      t('{kind} {hours} h', { kind: NAMES[kind], hours: figure(by[kind]) }),
    ),
  );
  return (
    <tr data-marked={marked ? '' : undefined} ref={marked ? show : undefined}>
      <PersonHead person={person} />
      <td className={classes.bars} title={words}>
        <div className={classes.bar} aria-hidden="true">
          {KINDS.map((kind) => (
            <i key={kind} data-kind={kind} style={{ width: `${(by[kind] / most) * 100}%` }} />
          ))}
        </div>
        <span className="visually-hidden">{words || tIn('hours of being on call', 'none')}</span>
      </td>
      <td>{figure(hours)}</td>
      {[line.shifts, line.nights, line.weekends, line.holidays, line.burden].map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
        <td key={index}>{figure(value)}</td>
      ))}
      <td>{balance === null ? <span title={t('Not in any stage')}>–</span> : signed(balance)}</td>
    </tr>
  );
}
