/** How unequal values are: 0 when all are the same, close to 1 when one of them has nearly everything. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const all = sorted.reduce((sum, value) => sum + value, 0);
  if (all <= 0) return 0;
  const count = sorted.length;
  const ranked = sorted.reduce((sum, value, index) => sum + (2 * (index + 1) - count - 1) * value, 0);
  return ranked / (count * all);
}

/** Rounds to two digits, which are enough for any figure. Sums of parts of shifts have rounding errors. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
