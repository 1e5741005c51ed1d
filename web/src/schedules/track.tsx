import type { CSSProperties } from 'react';
import type { UncoveredTimes } from '../../../src/calendars/api-contract.ts';
import type { Cover } from '../../../src/covers/api-contract.ts';
import type { ShiftChange } from '../../../src/planning/plan-api-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import { usePersonColour } from '../people/avatar.tsx';
import type { Lane } from './layout.ts';
import type { Span } from './queries.ts';
import { ShiftBlock } from './shift-block.tsx';
import classes from './timeline.module.css';
import type { Dragging } from './use-dragging.ts';
import { useMarking } from './use-marking.ts';
import { placeIn, snap, type Tick, type View } from './window.ts';

export type TrackProps = {
  lane: Lane;
  view: View;
  span: Span;
  zone: Zone;
  now: number;
  ticks: readonly Tick[];
  covers: readonly Cover[];
  uncovered: UncoveredTimes | undefined;
  changes: readonly ShiftChange[];
  /** The shift whose details are open, and the one in the tab order (roving tabindex). */
  open: string | undefined;
  stop: string | null;
  onOpen: (shift: TimelineShift) => void;
  /** Null: no time can be marked here. */
  onMark: ((lane: Lane, span: Span) => void) | null;
  /** The shift that is being dragged, in any row. */
  dragging: Dragging | null;
  /** The viewer may drag shifts. */
  movable: boolean;
  className?: string | undefined;
};

/** One row: its shifts, the times when nobody is needed, and the marked time. */
export function Track(props: TrackProps) {
  const { lane, view, span, zone, now, ticks, covers, uncovered, changes, open, stop, onOpen, onMark } =
    props;
  const { dragging, movable } = props;
  const timeAt = (place: number) => Math.round(span.from + place * (span.to - span.from));
  const { mark, handlers } = useMarking(
    onMark &&
      ((stretch) => {
        const [from, to] = [snap(view, timeAt(stretch.from), zone), snap(view, timeAt(stretch.to), zone)];
        if (from < to) onMark(lane, { from, to });
      }),
  );
  const free = uncovered?.stages.find(({ stage }) => stage === lane.stage)?.times ?? [];
  return (
    <ul
      className={props.className ?? classes.track}
      data-markable={onMark ? '' : undefined}
      data-from={span.from}
      data-to={span.to}
      aria-label={lane.below ? commas([lane.label, lane.below]) : lane.label}
      {...handlers}
    >
      {ticks.slice(1).map(({ at }) => (
        <li key={at} aria-hidden="true" className={classes.grid} style={{ left: percent(span, at) }} />
      ))}
      {free.map(({ starts_at, ends_at }) => (
        <li
          key={starts_at}
          className={classes.uncovered}
          style={between(span, starts_at, ends_at)}
          title={t('Nobody is on call here by design; the backstop answers.')}
        >
          <span className="visually-hidden">{t('Nobody, by design')}</span>
        </li>
      ))}
      {lane.shifts.map((shift) => (
        <ShiftBlock
          key={shift.id}
          {...{ shift, span, zone, now, onOpen }}
          says={lane.person ? 'stage' : 'person'}
          cover={covers.find((cover) => isAbout(cover, shift))}
          change={changes.find((change) => isAbout(change, shift))}
          held={dragging?.block.id === shift.id}
          movable={movable}
          open={open === shift.id}
          reachable={stop === shift.id}
        />
      ))}
      {dragging && isIn(lane, dragging) && <Ghost dragging={dragging} span={span} />}
      {mark && (
        <li
          aria-hidden="true"
          className={classes.mark}
          style={{ left: `${mark.from * 100}%`, width: `${(mark.to - mark.from) * 100}%` }}
        />
      )}
    </ul>
  );
}

/** Where a dragged shift would be if it were dropped now. */
function Ghost({ dragging: { block, drop, dropped }, span }: { dragging: Dragging; span: Span }) {
  const colour = usePersonColour(block.person.id);
  const [from, to] = [placeIn(span, drop.from), placeIn(span, drop.to)];
  if (from === to) return null;
  return (
    <li
      aria-hidden="true"
      className={classes.ghost}
      data-refused={drop.refusal ? '' : undefined}
      data-dropped={dropped ? '' : undefined}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%`, '--colour': colour } as CSSProperties}
    />
  );
}

function isIn(lane: Lane, { block, lane: over }: Dragging): boolean {
  if (lane.person) return lane.person.id === (over ?? block.person.id);
  return lane.stage === block.stage && lane.seat === block.seat;
}

type Placed = { stage: number; seat: number; starts_at: string; ends_at: string };

/** Whether both concern the same seat and overlap in time. */
export function isAbout(one: Placed, { stage, seat, starts_at, ends_at }: Placed): boolean {
  const overlaps = one.starts_at < ends_at && one.ends_at > starts_at;
  return one.stage === stage && one.seat === seat && overlaps;
}

function percent(span: Span, at: number): string {
  return `${placeIn(span, at) * 100}%`;
}

export function between(span: Span, from: string, to: string) {
  const [start, end] = [placeIn(span, Date.parse(from)), placeIn(span, Date.parse(to))];
  return { left: `${start * 100}%`, width: `${(end - start) * 100}%` };
}
