/** Like `Math.min` and `Math.max` of a list of any length: more than about 100,000 arguments overflow the stack. */
export function lowestOf(numbers: readonly number[]): number {
  return numbers.reduce((lowest, number) => Math.min(lowest, number), Number.POSITIVE_INFINITY);
}

export function highestOf(numbers: readonly number[]): number {
  return numbers.reduce((highest, number) => Math.max(highest, number), Number.NEGATIVE_INFINITY);
}
