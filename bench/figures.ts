/** The value below which the share `share` of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

export function line(what: string, ...figures: string[]): void {
  console.log(`${what.padEnd(58)}${figures.map((figure) => figure.padStart(14)).join('')}`);
}
