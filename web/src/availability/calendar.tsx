import { useQuery } from '@tanstack/react-query';
import type { RecordShown } from '../../../src/availability/api-contract.ts';
import { weekdayName } from '../../../src/calendars/repeat-words-contract.ts';
import type { PersonShift } from '../../../src/schedules/timeline-contract.ts';
import { repeatedWords } from '../kit/repeat-words.ts';
import { Failed } from '../kit/states.tsx';
import type { Zone } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import { packed } from '../schedules/layout.ts';
import { personShiftsQuery } from '../schedules/queries.ts';
import { placeIn, windowOf } from '../schedules/window.ts';
import classes from './availability.module.css';
import { KINDS } from './kinds.ts';
import { recordsQuery } from './queries.ts';
import { type DayRange, useDayRange } from './use-day-range.ts';

type Bar = { id: string; starts_at: string; ends_at: string } & (
  | { record: RecordShown; shift?: undefined }
  | { shift: PersonShift; record?: undefined }
);

/** A month with one person's availability and shifts. Selecting days adds a record. */
export function Calendar({
  person,
  at,
  zone,
  now,
  onDays,
  onRecord,
}: {
  /** Null: the viewer. */
  person: string | null;
  at: number;
  zone: Zone;
  now: number;
  onDays: (range: DayRange) => void;
  onRecord: (record: RecordShown) => void;
}) {
  const span = windowOf('month', at, zone);
  const recorded = useQuery(recordsQuery(person, span));
  const planned = useQuery(personShiftsQuery(person, span));
  const days = useDayRange(zone, zone.startOfDay(now), onDays);
  const stop = days.focus >= span.from && days.focus < span.to ? days.focus : zone.startOfMonth(at);
  const failed = [recorded, planned].find(({ error, data }) => error && !data);
  if (failed?.error) return <Failed error={failed.error} again={() => void failed.refetch()} />;
  const records = recorded.data?.records ?? [];
  const shifts = planned.data?.shifts ?? [];
  const bars: Bar[] = [
    ...shifts.map((shift) => ({ ...shift, shift })),
    ...records.map((record) => ({ ...record, record })),
  ];
  const weeks: number[] = [];
  for (let from = span.from; from < span.to; from = zone.addDays(from, 7)) weeks.push(from);
  return (
    <div className="card" style={{ overflow: 'hidden' }}>
      <div className={classes.names} aria-hidden="true">
        {Array.from({ length: 7 }, (_, index) => zone.addDays(span.from, index)).map((day) => (
          <span key={day}>{weekdayName(zone.weekday(day) - 1, 'short')}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form */}
      <div
        role="group"
        data-calendar
        aria-label={t('{month}: choose days to add an entry; arrow keys move, Shift and arrow keys select', {
          month: zone.month(at),
        })}
        {...days.handlers}
      >
        {weeks.map((from) => {
          const week = { from, to: zone.addDays(from, 7) };
          const inWeek = bars.filter(
            (bar) => Date.parse(bar.starts_at) < week.to && Date.parse(bar.ends_at) > week.from,
          );
          const rows = packed(inWeek);
          return (
            <div key={from} className={classes.week} style={{ minHeight: 44 + rows.length * 22 }}>
              {Array.from({ length: 7 }, (_, index) => zone.addDays(from, index)).map((day) => (
                <span key={day}>
                  <button
                    type="button"
                    className={classes.day}
                    data-day={day}
                    data-outside={zone.month(day) === zone.month(at) ? undefined : ''}
                    data-today={zone.date(day) === zone.date(now) ? '' : undefined}
                    data-chosen={isWithin(days.chosen, day) ? '' : undefined}
                    tabIndex={day === stop ? 0 : -1}
                    aria-label={dayWords(day, inWeek, zone)}
                  >
                    <span className={classes.number}>{Number(zone.date(day).slice(8))}</span>
                  </button>
                </span>
              ))}
              <div className={classes.bars}>
                {rows.map((row) => (
                  <ul key={row[0]?.id} className={classes.barRow}>
                    {row.map((bar) => (
                      <li key={bar.id} className={classes.bar} style={placeOf(bar, week)}>
                        {bar.record ? (
                          <RecordBar record={bar.record} zone={zone} now={now} onRecord={onRecord} />
                        ) : (
                          <span
                            className={classes.shift}
                            data-hit={records.some((record) => hits(record, bar)) ? '' : undefined}
                            title={t('On call for {schedule}, stage {stage}', {
                              schedule: bar.shift.schedule.name,
                              stage: bar.shift.stage,
                            })}
                          >
                            {t('{schedule}, stage {stage}', {
                              schedule: bar.shift.schedule.name,
                              stage: bar.shift.stage,
                            })}
                          </span>
                        )}
                      </li>
                    ))}
                  </ul>
                ))}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RecordBar({
  record,
  zone,
  now,
  onRecord,
}: {
  record: RecordShown;
  zone: Zone;
  now: number;
  onRecord: (record: RecordShown) => void;
}) {
  const { tone, short } = KINDS[record.type];
  const words = record.name || short;
  const once = t('{from} to {to}', {
    from: zone.moment(Date.parse(record.starts_at), now),
    to: zone.moment(Date.parse(record.ends_at), now),
  });
  const repeated = repeatedWords(record.repeats, zone, now);
  const times = repeated === null ? once : `${once}, ${repeated}`;
  return (
    <button
      type="button"
      data-record
      className={`tone-${tone}`}
      title={`${words}, ${times}`}
      aria-label={`${short}: ${words}, ${times}`}
      onClick={(event) => {
        event.stopPropagation();
        onRecord(record);
      }}
    >
      {words}
    </button>
  );
}

export function hits(
  { type, starts_at, ends_at }: { type: RecordShown['type']; starts_at: string; ends_at: string },
  shift: { starts_at: string; ends_at: string },
): boolean {
  return type === 'hard_unavailable' && starts_at < shift.ends_at && ends_at > shift.starts_at;
}

function isWithin(range: DayRange | null, day: number): boolean {
  return range !== null && day >= range.first && day <= range.last;
}

function placeOf(bar: Bar, week: { from: number; to: number }) {
  const [from, to] = [placeIn(week, Date.parse(bar.starts_at)), placeIn(week, Date.parse(bar.ends_at))];
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` };
}

function dayWords(day: number, bars: readonly Bar[], zone: Zone): string {
  const next = zone.addDays(day, 1);
  const there = bars.filter((bar) => Date.parse(bar.starts_at) < next && Date.parse(bar.ends_at) > day);
  const words = there.map((bar) =>
    bar.record
      ? `${KINDS[bar.record.type].short} ${bar.record.name}`.trim()
      : t('on call for {schedule}, stage {stage}', {
          schedule: bar.shift.schedule.name,
          stage: bar.shift.stage,
        }),
  );
  return commas([zone.day(day), ...words]);
}
