import type { Interval } from '../../src/kit/interval.ts';

/** A shift of a person, or a part of one. */
export type Had = Interval & { userId: string };

/**
 * Whether two of these people are on call at the same time, at least one of them with a `wanted` shift; compared in pairs,
 * by other means than the service does.
 */
export function meetByHand(
  juniors: readonly string[],
  shifts: readonly Had[],
  wanted: readonly Had[] = shifts,
): boolean {
  const own = (some: readonly Had[]) => some.filter(({ userId }) => juniors.includes(userId));
  return own(wanted).some((one) =>
    own(shifts).some((other) => other.userId !== one.userId && one.from < other.to && other.from < one.to),
  );
}
