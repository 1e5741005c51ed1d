/** The most rows that can be selected: each is one request, and an undo must end within its half minute. */
export const MOST_SELECTED = 100;

/** The ids between two of a list, both included, in the order of the list; only `to` if the list lacks `from`. */
export function rangeOf(ids: readonly string[], from: string | null, to: string): string[] {
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (a === -1 || b === -1) return [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}
