/** The median; null for no values. */
export function median(values: readonly number[]): number | null {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** The quantile: the least value that this share of all values does not exceed; null for no values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** Typed arrays are sorted ten times as fast as other arrays. */
function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

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
