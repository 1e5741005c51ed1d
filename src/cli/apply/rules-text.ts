import { type Rule, URGENCIES } from '../../people/contract.ts';
import { difference } from './change.ts';

/** What is different between two sets of rules, urgency by urgency. */
export function rulesChanges(before: readonly Rule[], after: readonly Rule[]): string[] {
  return URGENCIES.flatMap((urgency) => {
    const text = (rules: readonly Rule[]) => rulesText(rules.filter((rule) => rule.urgency === urgency));
    return difference(`notification rules at ${urgency} urgency`, text(before), text(after));
  });
}

function rulesText(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'the defaults';
  return rules
    .toSorted((a, b) => a.position - b.position)
    .map(
      ({ afterMs, channels }) =>
        `${afterMs === 0 ? 'at once' : `after ${minutes(afterMs)} min`} ${channels.join(', ')}`,
    )
    .join('; ');
}

function minutes(ms: number): string {
  return String(Number((ms / 60_000).toFixed(2)));
}
