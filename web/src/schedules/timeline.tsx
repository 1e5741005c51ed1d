import { useLayoutEffect, useRef } from 'react';
import type { UncoveredTimes } from '../../../src/calendars/api-contract.ts';
import type { Cover } from '../../../src/covers/api-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { ShiftChange } from '../../../src/planning/plan-api-contract.ts';
import type { ScheduleTimeline, TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { AwayRows } from './away-rows.tsx';
import { Board } from './board.tsx';
import type { Lane } from './layout.ts';
import type { Span } from './queries.ts';
import classes from './timeline.module.css';
import { Track } from './track.tsx';
import type { DraggingOptions } from './use-dragging.ts';
import { placeIn, ticksOf, type View } from './window.ts';

export type TimelineProps = {
  lanes: Lane[];
  view: View;
  span: Span;
  zone: Zone;
  now: number;
  timeline: ScheduleTimeline;
  covers: readonly Cover[];
  uncovered: UncoveredTimes | undefined;
  backstop: Person | null;
  /** The changes of a draft. */
  changes: readonly ShiftChange[];
  open: string | undefined;
  onOpen: (shift: TimelineShift) => void;
  /** Null: the viewer may not edit here. */
  onMark: ((lane: Lane, span: Span) => void) | null;
  drag: DraggingOptions | null;
};

/** Rows of shifts below a common time axis, with absences and a mark for now. */
export function Timeline(props: TimelineProps) {
  const { lanes, view, span, zone, now, timeline, backstop, drag } = props;
  const ticks = ticksOf(view, span, zone, now);
  const shifts = lanes.flatMap((lane) => lane.shifts);
  const first = shifts.find(({ ends_at }) => Date.parse(ends_at) > now)?.id ?? shifts[0]?.id ?? null;
  const scroller = useNowInSight(span, now);
  return (
    <Board byPerson={lanes.some(({ person }) => person)} {...{ drag, scroller }}>
      {({ dragging, movable, focused }) => (
        <>
          <div className={classes.axis} aria-hidden="true">
            <span className={classes.label} />
            <div className={`mono ${classes.ticks}`}>
              {ticks.map(({ at, label, short, strong }, index) => (
                <span
                  key={at}
                  className={classes.tick}
                  data-strong={strong ? '' : undefined}
                  data-rare={(view === 'day' || view === 'weeks') && index % 2 === 1 ? '' : undefined}
                  style={{ left: `${placeIn(span, at) * 100}%` }}
                >
                  <span className={classes.full}>{label}</span>
                  <span className={classes.short}>{short}</span>
                </span>
              ))}
            </div>
          </div>
          {lanes.map((lane) => (
            <div
              key={lane.key}
              className={classes.lane}
              data-lane={lane.person ? lane.key : undefined}
              data-target={dragging?.lane === lane.key ? '' : undefined}
            >
              <span className={classes.label} title={lane.label}>
                {lane.person && <Avatar person={lane.person} size={20} />}
                <span className={classes.name}>
                  {lane.label}
                  {lane.below && <small className={classes.below}>{lane.below}</small>}
                </span>
              </span>
              <Track
                {...props}
                lane={lane}
                ticks={ticks}
                stop={shifts.some(({ id }) => id === focused) ? focused : first}
                {...{ dragging, movable }}
                onMark={lane.stage === null ? null : props.onMark}
              />
            </div>
          ))}
          {backstop && (
            <div className={classes.lane}>
              <span className={classes.label}>{t('Backstop')}</span>
              <span className={classes.backstop}>
                {t('{name}, whenever nobody else answers', { name: backstop.name })}
              </span>
            </div>
          )}
          <AwayRows records={timeline.records} {...{ span, zone, now }} />
          {span.from <= now && now < span.to && (
            <div
              className={classes.now}
              aria-hidden="true"
              style={{ left: `calc(var(--label) + (100% - var(--label) - 6px) * ${placeIn(span, now)})` }}
            />
          )}
        </>
      )}
    </Board>
  );
}

/** A phone shows a part of the window: scrolls to the part with now when the window changes. */
function useNowInSight(span: Span, now: number) {
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another window scrolls, not the passing of time
  useLayoutEffect(() => {
    const element = scroller.current;
    const track = element?.querySelector('ul');
    if (!element || !track || element.scrollWidth <= element.clientWidth) return;
    const isShown = span.from <= now && now < span.to;
    element.scrollLeft = isShown ? Math.max(0, placeIn(span, now) * track.clientWidth - LEFT_OF_NOW_PX) : 0;
  }, [span.from, span.to]);
  return scroller;
}

/** The part of the past that is shown. */
const LEFT_OF_NOW_PX = 60;
