import type { Interval } from '../../src/kit/interval.ts';
import type { OnlyWith } from '../../src/schedules/companions.ts';
import type { Had } from './juniors-by-hand.ts';

/**
 * The times at which somebody has one of these shifts without a companion, as `who at`; looked up at each instant at
 * which anything begins, by other means than the service does.
 */
export function aloneByHand(
  rules: readonly OnlyWith[],
  shifts: readonly Had[],
  wanted: readonly Had[] = shifts,
): string[] {
  const instants = new Set(shifts.flatMap(({ from, to }) => [from, to]));
  const isOn = (span: Interval, at: number) => span.from <= at && at < span.to;
  return wanted.flatMap((shift) =>
    [...instants]
      .filter((at) => isOn(shift, at))
      .filter((at) => {
        const present = shifts.filter((other) => isOn(other, at)).map(({ userId }) => userId);
        return rules.some(({ people, with: companions }) => {
          const isMeant = people ? people.includes(shift.userId) : !companions.includes(shift.userId);
          return isMeant && !present.some((who) => who !== shift.userId && companions.includes(who));
        });
      })
      .map((at) => `${shift.userId} ${at}`),
  );
}
