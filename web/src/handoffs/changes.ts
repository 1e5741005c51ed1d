import type { HandoffChange } from '../../../src/handoffs/contract.ts';
import { commas, t } from '../language/t.ts';

/** `Ada → Grace`; with several stages, each with its number. */
export function changesText(changes: readonly HandoffChange[]): string {
  return commas(
    changes.map((change) =>
      changes.length === 1
        ? moveText(change)
        : t('stage {stage}: {change}', { stage: change.stage, change: moveText(change) }),
    ),
  );
}

function moveText({ from, to }: HandoffChange): string {
  return from.length === 0
    ? t('{count, plural, one {{names} joins} other {{names} join}}', { names: names(to), count: to.length })
    : `${names(from)} → ${names(to)}`;
}

function names(people: readonly { name: string }[]): string {
  return commas(people.map(({ name }) => name));
}
