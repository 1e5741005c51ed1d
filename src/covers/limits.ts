import { monthIn, weekIn } from '../schedules/periods.ts';
import { type Roster, type Seated, type Stint, shiftOf, stintsOf } from './roster.ts';

/** No month is longer. */
const LONGEST_MS = 32 * 86_400_000;

/** A period, and the most shifts of one person that may begin in it. */
export type Limit = { most: number; periodOf(ms: number): string };

export function limitsOf({ rules: { limits, timeZone } }: Pick<Roster, 'rules'>): Limit[] {
  return [
    { most: limits.shiftsPerWeek, periodOf: weekIn(timeZone) },
    { most: limits.shiftsPerMonth, periodOf: monthIn(timeZone) },
  ].flatMap(({ most, periodOf }) => (most === null ? [] : [{ most, periodOf }]));
}

/** Whether somebody who has a place has more than they may; a part counts as the shift that it is a part of. */
export function exceedsLimits(roster: Roster, userId: string, place: Seated): boolean {
  const limits = limitsOf(roster);
  if (limits.length === 0) return false;
  const start = shiftOf(roster.stints, place);
  const starts = new Map(
    stintsOf(roster.stints, userId)
      .filter((stint) => Math.abs(startOf(stint) - start) < LONGEST_MS)
      .map((stint) => [keyOf(stint), startOf(stint)]),
  );
  starts.set(keyOf({ ...place, shift: start }), start);
  return limits.some(({ most, periodOf }) => {
    const period = periodOf(start);
    return [...starts.values()].filter((one) => periodOf(one) === period).length > most;
  });
}

function startOf({ shift, from }: Pick<Stint, 'shift' | 'from'>): number {
  return shift ?? from;
}

/** Parts of one shift have one key. */
export function keyOf(stint: Pick<Stint, 'stage' | 'seat' | 'shift' | 'from'>): string {
  return `${stint.stage} ${stint.seat} ${startOf(stint)}`;
}
