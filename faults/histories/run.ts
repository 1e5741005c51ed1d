import fc from 'fast-check';
import { history } from './generate.ts';
import { type History, storyOf } from './history.ts';
import { type Ground, type Lane, laneOn } from './lane.ts';
import type { Played } from './played.ts';

export type Choice = {
  count: number;
  seed: number;
  /** How many histories of the seed are left out, because an earlier run played them; default: none. */
  from?: number;
  /** Where a run that failed stopped to shrink; only this history is played. */
  path?: string | undefined;
  /** How many histories are played at once. */
  lanes: number;
  /** The services and the database of one lane. */
  ground(): Promise<Ground>;
  onProgress?(found: Found): void;
  /** The history at this place of the seed's order broke these promises. A run goes on after that, so it may be ended by hand. */
  onBroken?(at: string, broken: readonly string[]): void;
};

export type Found = {
  seed: number;
  played: number;
  pages: number;
  notifications: number;
  deaths: number;
  loose: number;
  /** Histories that break promises, each the shortest that was found, with the promises that it breaks. */
  failures: Failure[];
};

export type Failure = {
  history: History;
  story: string;
  broken: readonly string[];
  /** Finds the history again, with the seed. */
  path: string;
  /** It broke a promise again when it was played again alone. */
  isRare: boolean;
};

/** A run stops after so many histories that broke promises. */
const MOST_BROKEN = 5;

/** Plays generated histories. Each one that breaks a promise is shrunk to the shortest story that still does. */
export async function playHistories(choice: Choice): Promise<Found> {
  const { seed, path, lanes, ground } = choice;
  const found: Found = { seed, played: 0, pages: 0, notifications: 0, deaths: 0, loose: 0, failures: [] };
  const made = await Promise.all(Array.from({ length: path === undefined ? lanes : 1 }, ground));
  const running = made.map(laneOn);
  const [first] = running;
  if (!first) throw new Error('histories need at least one lane');
  try {
    const broken =
      path === undefined ? await playBesideEachOther(choice, running, found) : [{ at: path, broken: [] }];
    for (const one of broken) {
      const failure = await shrunk(one, first, choice, found);
      if (failure) found.failures.push(failure);
    }
    return found;
  } finally {
    await Promise.all(running.map((lane) => lane.end()));
  }
}

/** The position of a history in the order of the seed, and the promises that it broke. */
type Broken = { at: string; broken: readonly string[]; history?: History };

async function playBesideEachOther(
  { count, seed, from = 0, onProgress, onBroken }: Choice,
  lanes: readonly Lane[],
  found: Found,
): Promise<Broken[]> {
  const histories = fc.sample(history, { seed, numRuns: from + count });
  let next = from;
  const broken: Broken[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      while (next < histories.length && broken.length < MOST_BROKEN) {
        const at = next++;
        const one = histories[at];
        if (!one) return;
        const played = await lane.play(one);
        tally(found, played);
        onProgress?.(found);
        if (played.broken.length === 0) continue;
        broken.push({ at: String(at), broken: played.broken, history: one });
        onBroken?.(String(at), played.broken);
      }
    }),
  );
  return broken;
}

function tally(found: Found, { pages, notifications, deaths, loose }: Played): void {
  found.played++;
  found.pages += pages;
  found.notifications += notifications;
  found.deaths += deaths;
  found.loose += loose;
}

/** Plays the history at a place of the seed's order again and, if that place was not found by shrinking, ever shorter ones. */
async function shrunk(
  { at, broken, history: long }: Broken,
  lane: Lane,
  { seed }: Choice,
  found: Found,
): Promise<Failure | null> {
  const property = fc.asyncProperty(history, async (one) => {
    const played = await lane.play(one);
    if (long === undefined) tally(found, played);
    if (played.broken.length > 0) throw new BrokenPromise(played.broken);
  });
  const details = await fc.check(property, {
    ...{ seed, path: at, numRuns: 1 },
    endOnFailure: long === undefined,
  });
  if (details.failed && details.counterexample) {
    const [one] = details.counterexample;
    const error = details.errorInstance;
    return {
      ...{ history: one, story: storyOf(one), path: details.counterexamplePath ?? at, isRare: false },
      broken: error instanceof BrokenPromise ? error.broken : [String((error as Error).stack ?? error)],
    };
  }
  return long ? { history: long, story: storyOf(long), path: at, broken, isRare: true } : null;
}

class BrokenPromise extends Error {
  readonly broken: readonly string[];

  constructor(broken: readonly string[]) {
    super(broken.join('\n'));
    this.broken = broken;
  }
}
