import type { HandoffChange } from '../../../src/handoffs/contract.ts';

/** `Ada → Grace`; with several stages, each with its number. */
export function changesText(changes: readonly HandoffChange[]): string {
  return changes
    .map((change) => (changes.length === 1 ? moveText(change) : `stage ${change.stage}: ${moveText(change)}`))
    .join(', ');
}

function moveText({ from, to }: HandoffChange): string {
  return from.length === 0 ? `${names(to)} joins` : `${names(from)} → ${names(to)}`;
}

function names(people: readonly { name: string }[]): string {
  return people.map(({ name }) => name).join(', ');
}
