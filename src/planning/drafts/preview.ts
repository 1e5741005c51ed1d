import { commas, t } from '../../language/contract.ts';
import type { Calendar } from '../../schedules/burdens.ts';
import { lengthOf, type PlannedShift } from '../../schedules/planner.ts';
import { type Served, servedIn } from '../../schedules/served.ts';
import type { Tally } from '../plan-api-contract.ts';

/** A time at which a seat passes from one person to another; null is nobody. */
export type HandedOver = {
  stage: number;
  seat: number;
  from: number;
  to: number;
  before: string | null;
  after: string | null;
};

/** Shifts that change hands between two plans of the same time. A shift with other times counts as a different one. */
export function handedOver(before: readonly PlannedShift[], after: readonly PlannedShift[]): HandedOver[] {
  const olds = new Map(before.map((shift) => [keyOf(shift), shift]));
  const news = new Map(after.map((shift) => [keyOf(shift), shift]));
  const keys = new Set([...olds.keys(), ...news.keys()]);
  return [...keys]
    .flatMap((key) => {
      const [old, now] = [olds.get(key), news.get(key)];
      const shift = now ?? old;
      const [lost, gained] = [old?.userId ?? null, now?.userId ?? null];
      if (!shift || lost === gained) return [];
      const { stage, seat, from, to } = shift;
      return [{ stage, seat, from, to, before: lost, after: gained }];
    })
    .sort((a, b) => a.from - b.from || a.stage - b.stage || a.seat - b.seat);
}

/** Counts a person's shifts, hours, nights, weekends and holidays. */
function tallyIn(calendar: Calendar): (shifts: readonly PlannedShift[]) => Tally {
  const servedOf = servedIn(calendar);
  return (shifts) => {
    const lives = shifts.map(servedOf);
    const sum = (kind: keyof Served) => lives.reduce((total, served) => total + served[kind], 0);
    const ms = shifts.reduce((total, shift) => total + lengthOf(shift), 0);
    return {
      shifts: shifts.length,
      hours: Math.round(ms / 360_000) / 10,
      nights: sum('nights'),
      weekends: sum('weekends'),
      holidays: sum('holidays'),
    };
  };
}

export type Balance = { userId: string; before: Tally; after: Tally; gains: Tally; loses: Tally };

/** Each person's load in two plans of the same time, those with the largest change first. */
export function balances(
  userIds: readonly string[],
  before: readonly PlannedShift[],
  after: readonly PlannedShift[],
  calendar: Calendar,
): Balance[] {
  const tally = tallyIn(calendar);
  const was = new Map(before.map((shift) => [keyOf(shift), shift.userId]));
  const is = new Map(after.map((shift) => [keyOf(shift), shift.userId]));
  return userIds
    .map((userId) => {
      const own = (shifts: readonly PlannedShift[]) => shifts.filter((shift) => shift.userId === userId);
      return {
        userId,
        before: tally(own(before)),
        after: tally(own(after)),
        gains: tally(own(after).filter((shift) => was.get(keyOf(shift)) !== userId)),
        loses: tally(own(before).filter((shift) => is.get(keyOf(shift)) !== userId)),
      };
    })
    .sort((a, b) => moved(b) - moved(a));
}

function moved({ gains, loses }: Balance): number {
  return gains.hours + loses.hours;
}

function keyOf({ stage, seat, from, to }: PlannedShift): string {
  return `${stage} ${seat} ${from} ${to}`;
}

/** `gains 2 shifts (1 night), loses 1 shift (1 weekend)`; `nothing changes`. */
export function balanceText({ gains, loses }: Pick<Balance, 'gains' | 'loses'>): string {
  const parts = [
    ...(gains.shifts > 0 ? [t('gains {shifts}', { shifts: tallyText(gains) })] : []),
    ...(loses.shifts > 0 ? [t('loses {shifts}', { shifts: tallyText(loses) })] : []),
  ];
  return parts.length === 0 ? t('nothing changes') : commas(parts);
}

function tallyText({ shifts, nights, weekends, holidays }: Tally): string {
  const all = t('{count, plural, one {# shift} other {# shifts}}', { count: shifts });
  const kinds = [
    ...(nights > 0 ? [t('{count, plural, one {# night} other {# nights}}', { count: nights })] : []),
    ...(weekends > 0 ? [t('{count, plural, one {# weekend} other {# weekends}}', { count: weekends })] : []),
    ...(holidays > 0 ? [t('{count, plural, one {# holiday} other {# holidays}}', { count: holidays })] : []),
  ];
  return kinds.length === 0 ? all : t('{shifts} ({kinds})', { shifts: all, kinds: commas(kinds) });
}
