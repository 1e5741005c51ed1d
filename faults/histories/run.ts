import fc from 'fast-check';
import type { TestDatabase } from '../../testing/database.ts';
import { history } from './generate.ts';
import { type History, storyOf } from './history.ts';
import { type Played, play } from './play.ts';
import { type Service, serviceOn } from './service.ts';

export type Choice = {
  count: number;
  seed: number;
  /** Where a run that failed stopped to shrink; only this history is played. */
  path?: string | undefined;
  /** A new database with the newest schema. */
  database(): Promise<TestDatabase>;
  /** Kills the database and starts it again; without it, its connections are cut instead. */
  killDatabase?(): Promise<void>;
  onProgress?(found: Found): void;
};

export type Found = {
  seed: number;
  played: number;
  pages: number;
  notifications: number;
  deaths: number;
  loose: number;
  /** The shortest history that breaks a promise, and the promises that it breaks. */
  failure: { history: History; story: string; broken: string[]; path: string } | null;
};

/** A database collects rows and its clock moves by years, so a service is replaced now and then. */
const HISTORIES_PER_SERVICE = 1_000;

/** Plays generated histories; the first one that breaks a promise is shrunk to the shortest story that still does. */
export async function playHistories({
  count,
  seed,
  path,
  database,
  killDatabase,
  onProgress,
}: Choice): Promise<Found> {
  const found: Found = { seed, played: 0, pages: 0, notifications: 0, deaths: 0, loose: 0, failure: null };
  let service: Service | null = null;
  let last: Played = NOTHING;
  const property = fc.asyncProperty(history, async (one) => {
    if (service && found.played % HISTORIES_PER_SERVICE === HISTORIES_PER_SERVICE - 1) {
      await service.end();
      service = null;
    }
    service ??= await serviceOn(await database(), killDatabase);
    last = await playSafely(service, one);
    found.played++;
    found.pages += last.pages;
    found.notifications += last.notifications;
    found.deaths += last.deaths;
    found.loose += last.loose;
    onProgress?.(found);
    if (last.broken.length === 0) return;
    if (last.isUnusable) {
      await service.end();
      service = null;
    }
    throw new BrokenPromise(last.broken);
  });
  try {
    const details = await fc.check(property, {
      ...{ numRuns: count, seed, endOnFailure: process.env.NOSHRINK === '1' },
      ...(path === undefined ? {} : { path, endOnFailure: true }),
    });
    if (details.failed && details.counterexample) {
      const [one] = details.counterexample;
      const error = details.errorInstance;
      found.failure = {
        ...{ history: one, story: storyOf(one), path: details.counterexamplePath ?? '' },
        broken: error instanceof BrokenPromise ? error.broken : [String((error as Error).stack ?? error)],
      };
    }
    return found;
  } finally {
    await (service as Service | null)?.end();
  }
}

const NOTHING: Played = { broken: [], deaths: 0, pages: 0, notifications: 0, loose: 0 };

class BrokenPromise extends Error {
  readonly broken: readonly string[] & string[];

  constructor(broken: string[]) {
    super(broken.join('\n'));
    this.broken = broken;
  }
}

async function playSafely(service: Service, one: History): Promise<Played> {
  try {
    return await play(service, one);
  } catch (error) {
    return {
      broken: [(error as Error).stack ?? String(error)],
      deaths: 0,
      pages: 0,
      notifications: 0,
      loose: 0,
    };
  }
}
