import { type Rule, URGENCIES } from '../people/contract.ts';
import { beginning, difference } from './change.ts';

/** The differences between two sets of rules, by urgency. `isNew`: the person did not exist before. */
export function rulesChanges(before: readonly Rule[], after: readonly Rule[], isNew: boolean): string[] {
  return URGENCIES.flatMap((urgency) => {
    const what = `notified at ${urgency} urgency`;
    const [was, is] = [before, after].map((rules) =>
      rulesText(rules.filter((rule) => rule.urgency === urgency)),
    );
    if (was === is || is === undefined || was === undefined) return [];
    return isNew ? beginning(what, is) : difference(what, was, is);
  });
}

function rulesText(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'by the defaults';
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
