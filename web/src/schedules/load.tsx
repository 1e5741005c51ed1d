import type { Person } from '../../../src/people/contract.ts';
import type { TimelineLoad } from '../../../src/schedules/timeline-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import type { Zone } from '../kit/zones.ts';
import { byName, t } from '../language/t.ts';
import { Avatar, usePersonColour } from '../people/avatar.tsx';
import type { Span } from './queries.ts';
import classes from './schedules.module.css';

/** How the shifts in the visible window are distributed. */
export function Load({
  people,
  loads,
  span,
  zone,
}: {
  people: readonly Person[];
  loads: readonly TimelineLoad[];
  span: Span;
  zone: Zone;
}) {
  const lines = people
    .map((person) => ({
      person,
      load: loads.find(({ person_id }) => person_id === person.id) ?? { hours: 0, nights: 0, weekends: 0 },
    }))
    .toSorted((a, b) => b.load.hours - a.load.hours || byName(a.person.name, b.person.name));
  const most = Math.max(...lines.map(({ load }) => load.hours), 1);
  const mean = lines.reduce((sum, { load }) => sum + load.hours, 0) / Math.max(1, lines.length);
  return (
    <section className="stack" aria-label={t('Load')}>
      <h2>
        {t('Load from {from} to {to}; the mark is an equal share', {
          from: zone.shortDay(span.from),
          to: zone.shortDay(span.to - 1),
        })}
      </h2>
      <Scroller label={t('Load of each person')}>
        <table className={classes.people}>
          <thead>
            <tr>
              <th scope="col">{t('Person')}</th>
              <th scope="col" className={classes.wide} style={{ width: '40%' }}>
                <span className="visually-hidden">{t('Share')}</span>
              </th>
              <th scope="col">{t('Hours')}</th>
              <th scope="col">{t('Nights')}</th>
              <th scope="col">{t('Weekends')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ person, load }) => (
              <Line key={person.id} {...{ person, load, most, mean }} />
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}

function Line({
  person,
  load,
  most,
  mean,
}: {
  person: Person;
  load: Omit<TimelineLoad, 'person_id'>;
  most: number;
  mean: number;
}) {
  const colour = usePersonColour(person.id);
  return (
    <tr>
      <td>
        <span className="row" style={{ gap: 8 }}>
          <Avatar person={person} size={20} /> {person.name}
        </span>
      </td>
      <td className={classes.wide}>
        <div className={classes.bar} aria-hidden="true">
          <i style={{ width: `${(load.hours / most) * 100}%`, background: colour, opacity: 0.85 }} />
          <b style={{ left: `${Math.min(99.5, (mean / most) * 100)}%` }} />
        </div>
      </td>
      <td className="mono">{Math.round(load.hours)}</td>
      <td className="mono">{load.nights}</td>
      <td className="mono">{load.weekends}</td>
    </tr>
  );
}
