import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { UncoveredTimes } from '../../../src/calendars/api-contract.ts';
import type { Cover } from '../../../src/covers/api-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { ShiftChange } from '../../../src/planning/plan-api-contract.ts';
import type { ScheduleTimeline, TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { Avatar } from '../people/avatar.tsx';
import { AwayRows } from './away-rows.tsx';
import type { Lane } from './layout.ts';
import type { Span } from './queries.ts';
import classes from './timeline.module.css';
import { Track } from './track.tsx';
import { useMoving } from './use-moving.ts';
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
  onMove: ((shift: TimelineShift, personId: string) => void) | null;
};

/** Rows of shifts below a common time axis, with absences and a mark for now. */
export function Timeline(props: TimelineProps) {
  const { lanes, view, span, zone, now, timeline, backstop, onMove } = props;
  const ticks = ticksOf(view, span, zone, now);
  const shifts = lanes.flatMap((lane) => lane.shifts);
  const [focused, setFocused] = useState<string | null>(null);
  const stop = shifts.some(({ id }) => id === focused)
    ? focused
    : (shifts.find(({ ends_at }) => Date.parse(ends_at) > now)?.id ?? shifts[0]?.id ?? null);
  const moving = useMoving(shifts, onMove);
  const scroller = useNowInSight(span, now);
  return (
    <div className={`card ${classes.scroller}`} ref={scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form */}
      <div
        role="group"
        aria-label="Shifts; arrow keys go from one to the next"
        className={classes.inner}
        data-by={lanes.some(({ person }) => person) ? 'person' : 'stage'}
        {...moving.handlers}
        onKeyDown={(event) => moveFocus(event)}
        onFocus={(event) => setFocused((event.target as HTMLElement).dataset.shift ?? null)}
      >
        <div className={classes.axis} aria-hidden="true">
          <span className={classes.label} />
          <div className={`mono ${classes.ticks}`}>
            {ticks.map(({ at, label, strong }) => (
              <span
                key={at}
                className={classes.tick}
                data-strong={strong ? '' : undefined}
                style={{ left: `${placeIn(span, at) * 100}%` }}
              >
                {label}
              </span>
            ))}
          </div>
        </div>
        {lanes.map((lane) => (
          <div
            key={lane.key}
            className={classes.lane}
            data-lane={lane.person ? lane.key : undefined}
            data-target={moving.target === lane.key ? '' : undefined}
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
              stop={stop}
              onMark={lane.stage === null ? null : props.onMark}
            />
          </div>
        ))}
        {backstop && (
          <div className={classes.lane}>
            <span className={classes.label}>Backstop</span>
            <span className={classes.backstop}>{backstop.name}, whenever nobody else answers</span>
          </div>
        )}
        <AwayRows records={timeline.records} span={span} />
        {span.from <= now && now < span.to && (
          <div
            className={classes.now}
            aria-hidden="true"
            style={{ left: `calc(var(--label) + (100% - var(--label) - 6px) * ${placeIn(span, now)})` }}
          />
        )}
      </div>
    </div>
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

/** What is shown of the time before now. */
const LEFT_OF_NOW_PX = 60;

/** Arrow keys move the focus between the shifts of a row, and to the nearest shift of the row above or below. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target as HTMLElement;
  if (!from.dataset.shift) return;
  const line = from.closest('ul');
  const lines = [...event.currentTarget.querySelectorAll('ul')].filter((one) =>
    one.querySelector('[data-shift]'),
  );
  const inLine = [...(line?.querySelectorAll<HTMLElement>('[data-shift]') ?? [])];
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || !line) return;
  event.preventDefault();
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    inLine[inLine.indexOf(from) + step]?.focus();
    return;
  }
  const next = lines[lines.indexOf(line) + step];
  const at = from.getBoundingClientRect().left;
  const distance = (element: HTMLElement) => Math.abs(element.getBoundingClientRect().left - at);
  [...(next?.querySelectorAll<HTMLElement>('[data-shift]') ?? [])]
    .toSorted((a, b) => distance(a) - distance(b))[0]
    ?.focus();
}
