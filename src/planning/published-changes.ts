import { t } from '../language/contract.ts';
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
  if (shifts === 0) return t('no shift was published yet');
  const moves = movesText(handedOver, shifts, soon);
  return otherHours === 0
    ? moves
    : t('{moves}, {count, plural, one {# begins or ends} other {# begin or end}} at another time', {
        ...{ moves, count: otherHours },
      });
}

function movesText(count: number, shifts: number, soon: number): string {
  const published = t('{shifts, plural, one {# published shift} other {# published shifts}}', { shifts });
  if (count === 0) return t('none of {published} goes to somebody else', { published });
  return soon === 0
    ? t('{count, plural, one {# of {published} goes} other {# of {published} go}} to somebody else', {
        ...{ count, published },
      })
    : t(
        '{count, plural, one {# of {published} goes} other {# of {published} go}} to somebody else, {soon} of them within three days',
        { count, published, soon },
      );
}

function seatOf({ stage, seat }: PlannedShift): string {
  return `${stage} ${seat}`;
}
