import type { RecordList, RecordShown } from '../../../src/availability/api-contract.ts';
import type { AvailabilityType } from '../../../src/availability/contract.ts';
import { repeatedWords } from '../kit/repeat-words.ts';
import { Scroller } from '../kit/scroller.tsx';
import type { Zone } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import classes from './availability.module.css';
import { timesOf } from './coming.tsx';
import { KINDS } from './kinds.ts';
import type { Span } from './queries.ts';

/** By importance: the first type that applies to a day is shown. */
const ORDER: readonly AvailabilityType[] = ['hard_unavailable', 'soft_unavailable', 'requested'];

/** A row for each person, a column for each day, and below it the number of people available. */
export function Heat({ list, span, zone, now }: { list: RecordList; span: Span; zone: Zone; now: number }) {
  const days: number[] = [];
  for (let day = span.from; day < span.to; day = zone.addDays(day, 1)) days.push(day);
  const { people, records } = list;
  const today = zone.date(now);
  return (
    <Scroller label={t('Absences')}>
      <table className={classes.heat}>
        <thead>
          <tr>
            <th scope="col">{t('Person')}</th>
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                data-today={zone.date(day) === today ? '' : undefined}
                title={zone.day(day)}
              >
                <span className="faint">{zone.day(day).slice(0, 2)}</span>
                <br />
                {Number(zone.date(day).slice(8))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <span className="row" style={{ gap: 8 }}>
                  <Avatar person={person} size={20} /> {person.name}
                </span>
              </th>
              {days.map((day) => (
                <Cell
                  key={day}
                  record={recordOn(person.id, day, records, zone)}
                  day={day}
                  zone={zone}
                  now={now}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="muted">
              {t('Left of {count}', { count: people.length })}
            </th>
            {days.map((day) => {
              const left = people.filter(
                ({ id }) => recordOn(id, day, records, zone)?.type !== 'hard_unavailable',
              ).length;
              return (
                <td key={day} className="tabular" data-few={left * 2 <= people.length ? '' : undefined}>
                  {left}
                </td>
              );
            })}
          </tr>
        </tfoot>
      </table>
    </Scroller>
  );
}

function Cell({
  record,
  day,
  zone,
  now,
}: {
  record: RecordShown | undefined;
  day: number;
  zone: Zone;
  now: number;
}) {
  const weekend = zone.weekday(day) >= 6 ? '' : undefined;
  if (!record) return <td data-weekend={weekend} />;
  const { short, sign } = KINDS[record.type];
  const times = repeatedWords(record.repeats, zone, now) ?? timesOf(record, zone, now);
  const words = commas([short, ...(record.name && !record.name_hidden ? [record.name] : []), times]);
  return (
    <td data-type={record.type} title={words}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{words}</span>
    </td>
  );
}

/** The most important record of a person on a day. */
function recordOn(
  personId: string,
  day: number,
  records: readonly RecordShown[],
  zone: Zone,
): RecordShown | undefined {
  const next = zone.addDays(day, 1);
  const there = records.filter(
    ({ person, starts_at, ends_at }) =>
      person.id === personId && Date.parse(starts_at) < next && Date.parse(ends_at) > day,
  );
  return ORDER.flatMap((type) => there.find((record) => record.type === type) ?? [])[0];
}
