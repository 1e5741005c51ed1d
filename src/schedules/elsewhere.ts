/**
 * Shifts that people have in other schedules of the organization. Planning, covers and swaps count them by these rules.
 * `PlanRules.elsewhere` decides whether they may be simultaneous, and `PlanRules.countElsewhereSince` whether rest,
 * limits and shares count them.
 */
import { type Interval, without } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import type { Counted } from './limits.ts';
import { areNear, overlap, type Stint } from './planner.ts';
import { momentText } from './span-text.ts';

/** A shift of another schedule, or the part of it that the person really has. */
export type ElsewhereShift = Stint & {
  /** The name of that schedule. */
  schedule: string;
  /** All members of its stage are always on call, so it requires no rest and counts towards no limit. */
  isAlwaysOn?: true;
};

/** By user id, sorted by start. */
export type Elsewhere = ReadonlyMap<string, readonly ElsewhereShift[]>;

/** Which shift elsewhere excludes a person from a shift, for explanations: when it ends or begins. */
export type InTheWay = { schedule: string; until: number } | { schedule: string; from: number };

/** A shift elsewhere at the same time; undefined if there is none. */
export function simultaneousElsewhere(
  elsewhere: Elsewhere | undefined,
  userId: string,
  shift: Stint,
): ElsewhereShift | undefined {
  return elsewhere?.get(userId)?.find((other) => overlap(other, shift));
}

/**
 * A shift elsewhere that leaves a person too little rest before or after a shift. A simultaneous shift does not count.
 */
export function withoutRest(
  shifts: readonly ElsewhereShift[] | undefined,
  shift: Stint,
  restMs: number,
): ElsewhereShift | undefined {
  if (restMs <= 0) return undefined;
  return shifts?.find(
    (other) => !other.isAlwaysOn && areNear(other, shift, restMs) && !overlap(other, shift),
  );
}

export function inTheWay({ schedule, from, to }: ElsewhereShift, shift: Interval): InTheWay {
  return from >= shift.to ? { schedule, from } : { schedule, until: to };
}

/** Shifts elsewhere as limits count them. Time that a person also spends in `own` shifts counts once. */
export function countedElsewhere(
  shifts: readonly ElsewhereShift[] | undefined,
  own: readonly Interval[],
): Counted[] {
  return (shifts ?? []).flatMap(({ schedule, isAlwaysOn, from, to, parts }, index) => {
    if (isAlwaysOn) return [];
    const whole = { from, to, ...(parts ? { parts } : {}) };
    return [{ key: `elsewhere ${index} ${schedule}`, whole, spans: without(parts ?? [whole], own) }];
  });
}

/** Why a person cannot have a shift: `Ada cannot: they are on call in Payments until Thu 24 Dec 08:00`. */
export function elsewhereText(name: string, one: InTheWay, timeZone: string): string {
  const { schedule } = one;
  return 'until' in one
    ? t('{name} cannot: they are on call in {schedule} until {time}', {
        ...{ name, schedule, time: momentText(one.until, timeZone) },
      })
    : t('{name} cannot: they are on call in {schedule} from {time}', {
        ...{ name, schedule, time: momentText(one.from, timeZone) },
      });
}

/** The same, because too little rest is left. */
export function elsewhereRestText(name: string, one: InTheWay, timeZone: string, restMs: number): string {
  return t('{shift}, and this schedule asks for {hours, plural, one {# hour} other {# hours}} of rest', {
    ...{ shift: elsewhereText(name, one, timeZone), hours: Math.round((restMs / 3_600_000) * 10) / 10 },
  });
}
