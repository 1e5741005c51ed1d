import type { Person, Urgency } from '../people/contract.ts';
import type { FairnessLine, Spread } from './api-contract.ts';
import type { Carried } from './carried.ts';
import { median, rounded } from './figures.ts';
import { type Asking, type InterruptedHour, interruptedHours, type sleepers } from './interruptions.ts';
import { spreadOf } from './spread.ts';
import { countWishes, type Wish } from './wishes.ts';

const HOUR = 3_600_000;

/** A person who was notified of a page, and who answered it. Times in epoch milliseconds. */
export type PageAsking = Asking & {
  pageId: string;
  asBackstop: boolean;
  acknowledgedBy: string | null;
  acknowledgedAt: number | null;
};

export type FairnessFacts = {
  /** All people who may be named. */
  people: readonly Person[];
  carried: ReadonlyMap<string, Carried>;
  askings: readonly PageAsking[];
  readClock: ReturnType<typeof sleepers>;
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
  const askingsOf = Map.groupBy(facts.askings, ({ userId }) => userId);
  const acknowledged = yield* acknowledgedBy(askingsOf.values());
  const involved = facts.people.filter(
    ({ id }) => facts.carried.has(id) || askingsOf.has(id) || acknowledged.has(id),
  );
  const lines: FairnessLine[] = [];
  for (const person of involved) {
    yield;
    const { id } = person;
    const askings = askingsOf.get(id) ?? [];
    lines.push({
      person,
      ...carriedFigures(facts.carried.get(id), wishesOf.get(id) ?? []),
      ...askedFigures(askings, interruptedHours(askings, facts.readClock)),
      acknowledged: acknowledged.get(id) ?? 0,
      answered_after_seconds: facts.maySeeAnswers(id) ? answeredAfter(id, askings) : null,
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

function askedFigures(askings: readonly PageAsking[], interrupted: readonly InterruptedHour[]) {
  const pages: Record<Urgency, number> = { low: 0, medium: 0, high: 0 };
  const seen = new Set<string>();
  for (const { pageId, urgency } of askings) {
    if (seen.has(pageId)) continue;
    seen.add(pageId);
    pages[urgency]++;
  }
  return {
    pages,
    interrupted_hours: interrupted.length,
    sleep_hours_interrupted: interrupted.filter(({ asleep }) => asleep).length,
    backstop: new Set(askings.filter(({ asBackstop }) => asBackstop).map(({ pageId }) => pageId)).size,
  };
}

/** Everybody in a team may answer a page, including people who were not notified. */
function* acknowledgedBy(
  askings: Iterable<readonly PageAsking[]>,
): Generator<void, ReadonlyMap<string, number>> {
  const pages = new Set<string>();
  const counts = new Map<string, number>();
  for (const own of askings) {
    yield;
    for (const { pageId, acknowledgedBy: by } of own) {
      if (by === null || pages.has(pageId)) continue;
      pages.add(pageId);
      counts.set(by, (counts.get(by) ?? 0) + 1);
    }
  }
  return counts;
}

/** Counted from their first notification of a page. Pages that they answered without one do not count. */
function answeredAfter(userId: string, askings: readonly PageAsking[]): number | null {
  const first = new Map<string, PageAsking>();
  for (const asking of askings) {
    const known = first.get(asking.pageId);
    if (!known || asking.at < known.at) first.set(asking.pageId, asking);
  }
  const times = [...first.values()].flatMap(({ at, acknowledgedBy, acknowledgedAt }) =>
    acknowledgedBy === userId && acknowledgedAt !== null && acknowledgedAt >= at
      ? [(acknowledgedAt - at) / 1_000]
      : [],
  );
  const middle = median(times);
  return middle === null ? null : Math.round(middle);
}

function carriersOf(people: readonly Person[], carried: ReadonlyMap<string, Carried>) {
  return people.flatMap(({ id, name }) => {
    const own = carried.get(id);
    if (!own || own.share === null) return [];
    const { shifts, burden, present } = own;
    return [{ name, shifts, burden, present, balance: own.ofShare - own.share }];
  });
}
