import { type Interval, intersectsAny, union } from '../kit/interval.ts';

export type Wish = Interval & { userId: string; type: 'soft_unavailable' | 'requested' };
export type WishCount = { granted: number; refused: number; kept: number; broken: number };

/**
 * Counts granted wishes. A wish for a shift is granted by any shift at its time; a wish for no shift is broken by one.
 * Neither counts if the person could not have had a shift at that time. @param had the shifts of the person @param
 * could the times of the stages that they are a member of, each list ascending and without overlaps
 */
export function countWishes(
  wishes: readonly Wish[],
  had: readonly Interval[],
  could: readonly (readonly Interval[])[],
): WishCount {
  const own = union(had);
  const possible = [own, ...could];
  const count = { granted: 0, refused: 0, kept: 0, broken: 0 };
  for (const wish of wishes) {
    if (!possible.some((times) => intersectsAny(times, wish))) continue;
    const isOn = intersectsAny(own, wish);
    if (wish.type === 'requested') count[isOn ? 'granted' : 'refused']++;
    else count[isOn ? 'broken' : 'kept']++;
  }
  return count;
}
