import type { Person } from '../../../src/people/contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import type { Zone } from '../kit/zones.ts';
import { Avatar, usePersonColour } from '../people/avatar.tsx';
import { type Burden, burdenOf } from './burden.ts';
import type { Span } from './queries.ts';
import classes from './schedules.module.css';

/** How the time that is looked at is shared out. */
export function Load({
  people,
  shifts,
  span,
  zone,
}: {
  people: readonly Person[];
  shifts: readonly TimelineShift[];
  span: Span;
  zone: Zone;
}) {
  const burdens = people
    .map((person) => ({ person, burden: burdenOf(person.id, shifts, span, zone) }))
    .toSorted((a, b) => b.burden.hours - a.burden.hours || a.person.name.localeCompare(b.person.name));
  const most = Math.max(...burdens.map(({ burden }) => burden.hours), 1);
  const mean = burdens.reduce((sum, { burden }) => sum + burden.hours, 0) / Math.max(1, burdens.length);
  return (
    <section className="stack" aria-label="Load">
      <h2>
        Load from {zone.shortDay(span.from)} to {zone.shortDay(span.to - 1)}; the mark is an equal share
      </h2>
      <Scroller label="Load of each person">
        <table className={classes.people}>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col" className={classes.wide} style={{ width: '40%' }}>
                <span className="visually-hidden">Share</span>
              </th>
              <th scope="col">Hours</th>
              <th scope="col">Nights</th>
              <th scope="col">Weekend days</th>
            </tr>
          </thead>
          <tbody>
            {burdens.map(({ person, burden }) => (
              <Line key={person.id} {...{ person, burden, most, mean }} />
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}

function Line({
  person,
  burden,
  most,
  mean,
}: {
  person: Person;
  burden: Burden;
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
          <i style={{ width: `${(burden.hours / most) * 100}%`, background: colour, opacity: 0.85 }} />
          <b style={{ left: `${Math.min(99.5, (mean / most) * 100)}%` }} />
        </div>
      </td>
      <td className="mono">{Math.round(burden.hours)}</td>
      <td className="mono">{burden.nights}</td>
      <td className="mono">{burden.weekendDays}</td>
    </tr>
  );
}
