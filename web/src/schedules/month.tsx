import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { AwayRows } from './away-rows.tsx';
import { Board } from './board.tsx';
import type { Span } from './queries.ts';
import classes from './timeline.module.css';
import type { TimelineProps } from './timeline.tsx';
import { Track } from './track.tsx';
import { dayLength, daysOf } from './window.ts';

/** A calendar month in weeks, each with its rows of shifts below the days. */
export function Month(props: TimelineProps & { at: number }) {
  const { lanes, span, zone, now, timeline, at, drag } = props;
  const month = zone.month(at);
  const weeks = daysOf(span, zone, 7).map((from) => ({ from, to: zone.dayAfter(from, 7) }));
  const shifts = lanes.flatMap((lane) => lane.shifts);
  const first = (shifts.find(({ ends_at }) => Date.parse(ends_at) > now) ?? shifts[0])?.id ?? null;
  return (
    <Board byPerson={lanes.some(({ person }) => person)} drag={drag}>
      {({ dragging, movable, focused }) =>
        weeks.map((week) => (
          <section
            key={week.from}
            className={classes.week}
            aria-label={t('Week of {day}', { day: zone.shortDay(week.from) })}
          >
            <div className={`mono ${classes.axis}`}>
              <span />
              <div className={classes.days} style={{ gridTemplateColumns: columnsOf(week, zone) }}>
                {daysOf(week, zone).map((day, index) => (
                  <span
                    key={day}
                    data-strong={zone.date(day) === zone.date(now) ? '' : undefined}
                    data-outside={zone.month(day) === month ? undefined : ''}
                  >
                    <span className={classes.full}>
                      {index === 0 || isFirst(day, zone) ? zone.day(day) : zone.weekdayAndDay(day)}
                    </span>
                    <span className={classes.short}>
                      {isFirst(day, zone) ? zone.shortestDay(day) : zone.weekdayAndDay(day)}
                    </span>
                  </span>
                ))}
              </div>
            </div>
            {lanes.map((lane) => (
              <div
                key={lane.key}
                className={classes.axis}
                data-lane={lane.person ? lane.key : undefined}
                data-target={dragging?.lane === lane.key ? '' : undefined}
              >
                <span className={classes.label} style={{ paddingBlock: 6 }}>
                  {lane.label}
                </span>
                <Track
                  {...props}
                  lane={{ ...lane, shifts: lane.shifts.filter((shift) => overlaps(shift, week)) }}
                  span={week}
                  ticks={[]}
                  stop={shifts.some(({ id }) => id === focused) ? focused : first}
                  {...{ dragging, movable }}
                  className={classes.weekTrack}
                  onMark={lane.stage === null ? null : props.onMark}
                />
              </div>
            ))}
            <AwayRows
              records={timeline.records.filter((record) => overlaps(record, week))}
              {...{ span: week, zone, now }}
            />
          </section>
        ))
      }
    </Board>
  );
}

/** Whether a month begins on this day, which then names it. */
function isFirst(day: number, zone: Zone): boolean {
  return zone.date(day).endsWith('-01');
}

/** Columns as wide as their days are long, so that shifts are below their days when the clocks change. */
function columnsOf(week: Span, zone: Zone): string {
  return daysOf(week, zone)
    .map((day) => `minmax(0, ${dayLength(day, zone) / 3_600_000}fr)`)
    .join(' ');
}

function overlaps(
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  { from, to }: { from: number; to: number },
): boolean {
  return Date.parse(starts_at) < to && Date.parse(ends_at) > from;
}
