import type { TimelineEntry } from '../../../src/pages/api-contract.ts';
import { namesOf } from '../people/names.ts';

/** What is shown, and what is folded into one line because a newer round made it history. */
export type Part =
  | { kind: 'shown'; entry: TimelineEntry }
  | { kind: 'folded'; words: string; entries: TimelineEntry[] };

/** Fewer lines than this are shorter than it takes to open them. */
const WORTH_FOLDING = 4;

/** What the service did by itself. What people did is never folded. */
const BY_ITSELF: ReadonlySet<TimelineEntry['kind']> = new Set([
  ...(['notified', 'attempt', 'not_sent', 'bundled', 'cancelled', 'unreachable', 'gap'] as const),
]);

/** A timeline in the order of time, with the rounds before the newest folded. */
export function folded(timeline: readonly TimelineEntry[]): Part[] {
  const rounds = roundsOf(timeline);
  const newest = rounds.at(-1) ?? 0;
  const answered = new Set(rounds.filter((_, index) => timeline[index]?.kind === 'acknowledged'));
  const runs: { round: number; folds: boolean; entries: TimelineEntry[] }[] = [];
  timeline.forEach((entry, index) => {
    const round = rounds[index] ?? 0;
    const folds = round > 0 && round < newest && BY_ITSELF.has(entry.kind);
    const run = runs.at(-1);
    if (run && run.round === round && run.folds === folds) run.entries.push(entry);
    else runs.push({ round, folds, entries: [entry] });
  });
  return runs.flatMap(({ round, folds, entries }): Part[] =>
    folds && entries.length >= WORTH_FOLDING
      ? [{ kind: 'folded', words: wordsOf(round, entries, answered.has(round)), entries }]
      : entries.map((entry) => ({ kind: 'shown', entry })),
  );
}

/** The round of each entry: that of the latest notification before it, 0 before the first. */
function roundsOf(timeline: readonly TimelineEntry[]): number[] {
  let round = 0;
  return timeline.map((entry) => {
    if (entry.kind === 'notified' || entry.kind === 'gap') round = Math.max(round, entry.round);
    return round;
  });
}

/** `Round 1: 18 attempts to Ada and Ben, nobody answered`. */
function wordsOf(round: number, entries: readonly TimelineEntry[], answered: boolean): string {
  const attempts = entries.filter(({ kind }) => kind === 'attempt').length;
  const notified = entries.flatMap((entry) => (entry.kind === 'notified' ? [entry.person] : []));
  const people = [...new Map(notified.map((person) => [person.id, person])).values()];
  const to = people.length > 0 && people.length <= 3 ? ` to ${namesOf(people)}` : '';
  return `Round ${round}: ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}${to}${answered ? '' : ', nobody answered'}`;
}
