import type { TimelineEntry } from '../../../src/pages/api-contract.ts';
import { t } from '../language/t.ts';
import { namesOf } from '../people/names.ts';

/** A timeline entry that is shown, or earlier rounds that are folded into one line. */
export type Part =
  | { kind: 'shown'; entry: TimelineEntry }
  | { kind: 'folded'; words: string; entries: TimelineEntry[] };

/** Fewer entries than this are not worth folding. */
const WORTH_FOLDING = 4;

/** Entries that the service made by itself. Actions of people are never folded. */
const BY_ITSELF: ReadonlySet<TimelineEntry['kind']> = new Set([
  ...([
    'notified',
    'attempt',
    'not_sent',
    'bundled',
    'cancelled',
    'unreachable',
    'gap',
    'all_clear',
  ] as const),
]);

/** A timeline in chronological order, with all rounds but the newest folded. */
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

/** The round of each entry: that of the latest notification before it; 0 before the first. */
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
  const values = { round, count: attempts, people: namesOf(people), answered: answered ? 'yes' : 'no' };
  return people.length > 0 && people.length <= 3
    ? t(
        '{answered, select, yes {Round {round}: {count, plural, one {{count} attempt} other {{count} attempts}} to {people}} other {Round {round}: {count, plural, one {{count} attempt} other {{count} attempts}} to {people}, nobody answered}}',
        values,
      )
    : t(
        '{answered, select, yes {Round {round}: {count, plural, one {{count} attempt} other {{count} attempts}}} other {Round {round}: {count, plural, one {{count} attempt} other {{count} attempts}}, nobody answered}}',
        values,
      );
}
