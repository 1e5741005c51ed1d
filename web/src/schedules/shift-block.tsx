import type { CSSProperties } from 'react';
import type { Cover } from '../../../src/covers/api-contract.ts';
import type { ShiftChange } from '../../../src/planning/plan-api-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import { initials, usePersonColour } from '../people/avatar.tsx';
import fitting from './fitting.module.css';
import { Fitting } from './fitting.tsx';
import type { Span } from './queries.ts';
import classes from './timeline.module.css';
import { placeIn } from './window.ts';

/** A block narrower than this share of the width does not show who was planned. */
const ROOM_FOR_WORDS = 0.045;

export type BlockProps = {
  shift: TimelineShift;
  span: Span;
  zone: Zone;
  now: number;
  /** The label: the person, or in a person's own row the stage. */
  says: 'person' | 'stage';
  /** The cover that somebody is needed for. */
  cover: Cover | undefined;
  /** What a draft would change about it. */
  change: ShiftChange | undefined;
  open: boolean;
  /** It is dragged now. */
  held: boolean;
  /** Its ends can be dragged. */
  movable: boolean;
  reachable: boolean;
  onOpen: (shift: TimelineShift) => void;
};

/** One shift on a timeline. */
export function ShiftBlock(props: BlockProps) {
  const { shift, span, now, says, cover, change, open, held, movable, reachable, onOpen } = props;
  const person = change ? change.after : shift.person;
  const colour = usePersonColour(person?.id ?? '');
  const [from, to] = [placeIn(span, Date.parse(shift.starts_at)), placeIn(span, Date.parse(shift.ends_at))];
  const narrow = to - from < ROOM_FOR_WORDS;
  const was = change ? change.before : plannedOtherwise(shift);
  return (
    <li className={classes.item} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}>
      <button
        type="button"
        className={`${classes.shift} ${fitting.block}`}
        style={person ? ({ '--colour': colour } as CSSProperties) : undefined}
        data-shift={shift.id}
        data-gap={person ? undefined : ''}
        data-past={Date.parse(shift.ends_at) <= now ? '' : undefined}
        data-changes={change ? '' : undefined}
        data-wanted={cover && !change ? '' : undefined}
        data-open={open ? '' : undefined}
        data-held={held ? '' : undefined}
        tabIndex={reachable ? 0 : -1}
        aria-label={describe(props)}
        title={describe(props)}
        onClick={() => onOpen(shift)}
      >
        {says === 'person' ? (
          <Fitting full={firstName(person?.name)} short={person ? initials(person.name) : '–'} />
        ) : (
          <Fitting full={t('Stage {stage}', { stage: shift.stage })} short={`${shift.stage}`} />
        )}
        {!narrow && was && says === 'person' && (
          <span className={classes.was} data-was={firstName(was.name)} />
        )}
        {movable && shift.person && Date.parse(shift.ends_at) > now && (
          <>
            {from > 0 && Date.parse(shift.starts_at) > now && (
              <span className={classes.edge} data-edge="start" />
            )}
            {to < 1 && <span className={classes.edge} data-edge="end" />}
          </>
        )}
      </button>
    </li>
  );
}

/** The planned person, when somebody else took the shift. */
export function plannedOtherwise({ planned, person }: TimelineShift) {
  return planned?.person && planned.person.id !== person?.id ? planned.person : null;
}

function firstName(name: string | undefined): string {
  return name?.split(/\s+/)[0] ?? t('gap');
}

function describe({ shift, zone, now, cover, change }: BlockProps): string {
  const [from, to] = [Date.parse(shift.starts_at), Date.parse(shift.ends_at)];
  const person = change ? change.after : shift.person;
  const was = change ? change.before : plannedOtherwise(shift);
  const who = person?.name ?? t('Nobody: a gap');
  return commas([
    change ? t('{name} in the draft', { name: who }) : who,
    ...(was ? [t('instead of {name}', { name: was.name })] : []),
    t('stage {stage}', { stage: shift.stage }),
    t('{from} to {to}', { from: zone.moment(from, now), to: zone.moment(to, now) }),
    ...(shift.away && shift.person && !change ? [t('is away for some of it')] : []),
    ...(cover ? [t('cover wanted')] : []),
  ]);
}
