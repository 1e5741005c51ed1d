/** The middle one, or what lies between the two in the middle; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** The least value that so many of all, as a share, do not exceed; null of nothing. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** Numbers alone are sorted ten times as fast as whatever else an array may hold. */
function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

/** How unequal values are: 0 when all are the same, towards 1 the more one of them is all there is. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const all = sorted.reduce((sum, value) => sum + value, 0);
  if (all <= 0) return 0;
  const count = sorted.length;
  const ranked = sorted.reduce((sum, value, index) => sum + (2 * (index + 1) - count - 1) * value, 0);
  return ranked / (count * all);
}

/** Two digits are enough of any figure, and sums of parts of shifts have stray ones. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
