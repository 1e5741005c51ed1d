import { commonMs, type PlannedShift } from '../schedules/planner.ts';

/**
 * How a new plan changes current and future published shifts. `handedOver`: most of the time goes to another person, or
 * to nobody. `soon`: those of them that begin within three days. `otherHours`: the person stays, but the start or end
 * changes.
 */
export type PublishedChanges = { shifts: number; handedOver: number; soon: number; otherHours: number };

/** `before` and `after`: all shifts of a schedule. `at` and `soonUntil`: epoch milliseconds. */
export function publishedChanges(
  before: readonly PlannedShift[],
  after: readonly PlannedShift[],
  at: number,
  soonUntil: number,
): PublishedChanges {
  const changes = { shifts: 0, handedOver: 0, soon: 0, otherHours: 0 };
  const seats = Map.groupBy(after, seatOf);
  for (const [seat, published] of Map.groupBy(before, seatOf)) {
    const next = (seats.get(seat) ?? []).toSorted((a, b) => a.from - b.from);
    let first = 0;
    for (const shift of published.toSorted((a, b) => a.from - b.from)) {
      if (shift.userId === null || shift.to <= at) continue;
      while ((next[first]?.to ?? Number.POSITIVE_INFINITY) <= shift.from) first++;
      let end = first;
      while ((next[end]?.from ?? Number.POSITIVE_INFINITY) < shift.to) end++;
      const there = next.slice(first, end);
      changes.shifts++;
      if (holderOf(shift, there, at) !== shift.userId) {
        changes.handedOver++;
        if (shift.from < soonUntil) changes.soon++;
      } else if (!there.some(({ from, to }) => to === shift.to && (from === shift.from || shift.from < at)))
        changes.otherHours++;
    }
  }
  return changes;
}

/** Who has most of the rest of a shift; null for nobody. */
function holderOf(shift: PlannedShift, there: readonly PlannedShift[], at: number): string | null {
  const left = { ...shift, from: Math.max(shift.from, at) };
  const rest = shift.parts
    ? {
        ...left,
        parts: shift.parts
          .filter(({ to }) => to > at)
          .map((part) => ({ ...part, from: Math.max(part.from, at) })),
      }
    : left;
  let most: { userId: string | null; ms: number } = { userId: null, ms: 0 };
  for (const [userId, own] of Map.groupBy(there, (other) => other.userId)) {
    const ms = own.reduce((sum, other) => sum + commonMs(other, rest), 0);
    if (ms > most.ms || (ms === most.ms && ms > 0 && userId === shift.userId)) most = { userId, ms };
  }
  return most.userId;
}

/** For example: `3 of 27 published shifts go to somebody else, 1 of them within three days`. */
export function publishedChangesText({ shifts, handedOver, soon, otherHours }: PublishedChanges): string {
  if (shifts === 0) return 'no shift was published yet';
  const published = `${shifts} published ${shifts === 1 ? 'shift' : 'shifts'}`;
  const times =
    otherHours === 0
      ? ''
      : `, ${otherHours} ${otherHours === 1 ? 'begins or ends' : 'begin or end'} at another time`;
  if (handedOver === 0) return `none of ${published} goes to somebody else${times}`;
  const near = soon === 0 ? '' : `, ${soon} of them within three days`;
  return `${handedOver} of ${published} ${handedOver === 1 ? 'goes' : 'go'} to somebody else${near}${times}`;
}

function seatOf({ stage, seat }: PlannedShift): string {
  return `${stage} ${seat}`;
}
