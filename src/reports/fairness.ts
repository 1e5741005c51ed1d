import type { Person } from '../people/contract.ts';
import type { FairnessLine, Spread } from './api-contract.ts';
import type { Carried } from './carried.ts';
import { rounded } from './figures.ts';
import { spreadOf } from './spread.ts';
import type { NotifiedRow } from './store.ts';
import { countWishes, type Wish } from './wishes.ts';

const HOUR = 3_600_000;

export type FairnessFacts = {
  /** All people who may be named. */
  people: readonly Person[];
  carried: ReadonlyMap<string, Carried>;
  notified: readonly NotifiedRow[];
  wishes: readonly Wish[];
  maySeeAnswers: (userId: string) => boolean;
};

/**
 * The ledger: a line for each person who had shifts, could have had shifts or was notified; the highest load first.
 * Yields to other work of the process.
 */
export function* fairnessOf(
  facts: FairnessFacts,
): Generator<void, { people: FairnessLine[]; spread: Spread }> {
  const wishesOf = Map.groupBy(facts.wishes, ({ userId }) => userId);
  yield;
  const notified = new Map(facts.notified.map((row) => [row.userId, row]));
  const involved = facts.people.filter(({ id }) => facts.carried.has(id) || notified.has(id));
  const lines: FairnessLine[] = [];
  for (const person of involved) {
    yield;
    const { id } = person;
    const pages = notified.get(id);
    const answeredAfter = facts.maySeeAnswers(id) ? (pages?.answeredAfterSeconds ?? null) : null;
    lines.push({
      person,
      ...carriedFigures(facts.carried.get(id), wishesOf.get(id) ?? []),
      pages: pages?.pages ?? { low: 0, medium: 0, high: 0 },
      interrupted_hours: pages?.interruptedHours ?? 0,
      sleep_hours_interrupted: pages?.sleepHoursInterrupted ?? 0,
      backstop: pages?.backstop ?? 0,
      acknowledged: pages?.acknowledged ?? 0,
      answered_after_seconds: answeredAfter === null ? null : Math.round(answeredAfter),
    });
  }
  const people = lines.toSorted(
    (a, b) => b.burden - a.burden || a.person.name.localeCompare(b.person.name, 'en'),
  );
  return { people, spread: spreadOf(carriersOf(involved, facts.carried)) };
}

function carriedFigures(carried: Carried | undefined, wishes: readonly Wish[]) {
  const hours = (ms: number | undefined) => rounded((ms ?? 0) / HOUR);
  const { day, night, weekend, holiday } = carried?.measured.split ?? {};
  const wished = countWishes(wishes, carried?.had ?? [], carried?.could ?? []);
  const share = carried?.share ?? null;
  return {
    hours: hours(carried?.measured.all),
    hours_by_kind: {
      day: hours(day),
      night: hours(night),
      weekend: hours(weekend),
      holiday: hours(holiday),
    },
    shifts: rounded(carried?.shifts ?? 0),
    nights: rounded(carried?.nights ?? 0),
    weekends: rounded(carried?.weekends ?? 0),
    holidays: rounded(carried?.holidays ?? 0),
    burden: rounded(carried?.burden ?? 0),
    share: share === null ? null : rounded(share),
    balance: share === null ? null : rounded((carried?.ofShare ?? 0) - share),
    requests: { granted: wished.granted, refused: wished.refused },
    wishes: { kept: wished.kept, broken: wished.broken },
    covers: { taken: carried?.taken ?? 0, given: carried?.given ?? 0 },
  };
}

function carriersOf(people: readonly Person[], carried: ReadonlyMap<string, Carried>) {
  return people.flatMap(({ id, name }) => {
    const own = carried.get(id);
    if (!own || own.share === null) return [];
    const { shifts, burden, present } = own;
    return [{ name, shifts, burden, present, balance: own.ofShare - own.share }];
  });
}
