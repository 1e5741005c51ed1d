import type { OverrideShown } from '../../../src/covers/api-contract.ts';
import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import type { Span } from './queries.ts';
import type { View } from './window.ts';

/** The part of a shift that is dragged: the whole shift, its start or its end. */
export type Part = 'whole' | 'start' | 'end';
export const PARTS: readonly Part[] = ['whole', 'start', 'end'];

type Person = NonNullable<TimelineShift['person']>;

/** A shift, or all of an override, that can be dragged. Times in epoch milliseconds. */
export type Block = Span & {
  /** The shift that was picked up. */
  id: string;
  stage: number;
  seat: number;
  person: Person;
  /** The override that put the person on call; null for a shift as planned. */
  override: string | null;
};

/** The body of an override. */
export type Put = { stage: number; seat: number | null; user: string; starts_at: string; ends_at: string };

/** What a drop would do. A refusal is a sentence that says why nothing can be dropped here. */
export type Drop = Span & { add: Put[]; remove: string[]; says: string; refusal: string | null };

const DAY_MS = 86_400_000;

/** Null for a gap, which nobody has and nothing moves. */
export function blockOf(shift: TimelineShift, overrides: readonly OverrideShown[]): Block | null {
  const { id, stage, seat, person } = shift;
  if (!person) return null;
  // A shift shows a part of an override where it spans several planned shifts.
  const whole = overrides.find((one) => one.id === shift.override?.id) ?? shift;
  const [from, to] = [Date.parse(whole.starts_at), Date.parse(whole.ends_at)];
  return { id, stage, seat, person, from, to, override: shift.override?.id ?? null };
}

/**
 * The times after a part was dragged by so many milliseconds. Snaps to local quarters of an hour in the day view, to
 * hours in a week, and to whole days with the same local time in longer views.
 */
export function dragged(block: Block, part: Part, by: number, view: View, zone: Zone): Span {
  const edge = (at: number) => {
    if (view === 'weeks' || view === 'month') return zone.addDays(at, Math.round(by / DAY_MS));
    return by === 0 ? at : zone.rounded(at + by, view === 'day' ? 15 : 60);
  };
  return {
    from: part === 'end' ? block.from : edge(block.from),
    to: part === 'start' ? block.to : edge(block.to),
  };
}

/** One step of an arrow key in a view, in milliseconds. */
export function stepMs(view: View): number {
  return { day: 15 * 60_000, week: 3_600_000, weeks: DAY_MS, month: DAY_MS }[view];
}

/**
 * What happens if a block is dropped at other times. Time that it gains is an override for its person; time that it
 * leaves goes to the person before or after it, and for an override back to the plan.
 */
export function dropOf(
  block: Block,
  { from, to }: Span,
  shifts: readonly TimelineShift[],
  { now, zone }: { now: number; zone: Zone },
): Drop {
  const person = firstName(block.person);
  const says = t('{name}: {from} – {to} ({zone}).', {
    name: person,
    from: zone.moment(from, now),
    to: zone.moment(to, now),
    zone: zone.city,
  });
  const drop = { from, to, add: [], remove: [], says, refusal: null };
  const refusal = refusalOf(block, { from, to }, now, person);
  if (refusal) return { ...drop, refusal };
  if (from === block.from && to === block.to) return drop;
  const put = (user: string, span: Span): Put => ({
    ...{ stage: block.stage, seat: block.seat, user },
    starts_at: new Date(Math.max(span.from, now)).toISOString(),
    ends_at: new Date(span.to).toISOString(),
  });
  if (block.override) return { ...drop, remove: [block.override], add: [put(block.person.id, { from, to })] };
  const freed = outside(block, { from, to });
  const heirs = freed.map((span) => heirOf(block, span, to > block.to, shifts));
  const missing = heirs.find((heir) => typeof heir === 'string');
  if (missing) return { ...drop, refusal: missing };
  const given = freed.flatMap((span, index) => {
    const heir = heirs[index];
    return heir && typeof heir !== 'string' ? [{ span, heir }] : [];
  });
  const gained = outside({ from, to }, block);
  return {
    ...drop,
    add: [
      ...given.map(({ span, heir }) => put(heir.id, span)),
      ...gained.map((span) => put(block.person.id, span)),
    ],
    says: [
      drop.says,
      ...given.map(({ span, heir }) =>
        t('{name} takes {from} – {to}.', {
          name: firstName(heir),
          from: zone.moment(span.from, now),
          to: zone.moment(span.to, now),
        }),
      ),
    ].join(' '),
  };
}

function refusalOf(block: Block, { from, to }: Span, now: number, person: string): string | null {
  if (block.to <= now) return t('This shift is over, and past shifts cannot be changed.');
  if (from !== block.from && block.from <= now)
    return t('{name} is on call already, so only the end of this shift can move.', { name: person });
  if (from !== block.from && from < now) return t('A shift cannot begin in the past.');
  if (to <= Math.max(from, now)) return t('A shift has to end after it begins, and in the future.');
  return null;
}

/** Who takes the time that a planned shift leaves; a sentence if nobody can. */
function heirOf(
  block: Block,
  freed: Span,
  later: boolean,
  shifts: readonly TimelineShift[],
): Person | string {
  const before = freed.from === block.from && (freed.to !== block.to || later);
  const isNext = ({ starts_at, ends_at }: TimelineShift) =>
    before ? Date.parse(ends_at) === block.from : Date.parse(starts_at) === block.to;
  const next = shifts.find(
    (shift) => shift.stage === block.stage && shift.seat === block.seat && isNext(shift),
  );
  const name = firstName(block.person);
  if (!next?.person)
    return before
      ? t('The shift cannot leave a gap: nobody is on call before {name}. Hand the shift over instead.', {
          name,
        })
      : t('The shift cannot leave a gap: nobody is on call after {name}. Hand the shift over instead.', {
          name,
        });
  if (next.person.id === block.person.id)
    return before
      ? t(
          'The previous shift is also {name}’s, so nobody would take the time that becomes free; hand the shift over instead.',
          { name },
        )
      : t(
          'The next shift is also {name}’s, so nobody would take the time that becomes free; hand the shift over instead.',
          { name },
        );
  return next.person;
}

/** The parts of a span that another one does not cover. */
function outside(whole: Span, hole: Span): Span[] {
  return [
    { from: whole.from, to: Math.min(whole.to, hole.from) },
    { from: Math.max(whole.from, hole.to), to: whole.to },
  ].filter(({ from, to }) => from < to);
}

function firstName({ name }: { name: string }): string {
  return name.split(/\s+/)[0] ?? name;
}
