import type { LifeboatState } from './contract.ts';

/**
 * The result of an attempt to write into the main database. `unclear`: it failed, but not because the database is away.
 */
export type Seen = 'wrote' | 'away' | 'unclear';

/** Times are in milliseconds of one steady clock. */
export type Watch = Readonly<{
  state: LifeboatState;
  /** When the main database last accepted a write, or when this process began to watch. */
  wroteAt: number;
  /** Since when every write has succeeded; null if the last one failed. */
  writingSince: number | null;
}>;

export type WatchLimits = {
  /** How long the main database must accept no writes before the lifeboat accepts pages. */
  afterMs: number;
  /** How long the main database must accept writes again before the lifeboat lands. */
  landAfterMs: number;
};

/**
 * The initial state of a process. With `aboard`, pages of an earlier process wait in the lifeboat: it is afloat until
 * the main database accepts a write, because nobody else escalates these pages. The first write is enough.
 */
export function beginWatch(now: number, aboard: boolean): Watch {
  return aboard
    ? { state: 'afloat', wroteAt: now, writingSince: Number.NEGATIVE_INFINITY }
    : { state: 'ashore', wroteAt: now, writingSince: null };
}

/**
 * The state after an attempt to write into the main database, which ended at `now`. Only `landed` ends a landing that
 * succeeds.
 */
export function observe(watch: Watch, seen: Seen, now: number, limits: WatchLimits): Watch {
  if (seen === 'unclear') return watch;
  if (seen === 'away') return { ...watch, writingSince: null, state: stateWithoutWrites(watch, now, limits) };
  const writingSince = watch.writingSince ?? now;
  const steady = now - writingSince >= limits.landAfterMs;
  return {
    wroteAt: now,
    writingSince,
    state: watch.state === 'afloat' && steady ? 'landing' : watch.state,
  };
}

/** One failure is not enough, however late it comes: a busy machine may be the cause. */
function stateWithoutWrites(
  { state, wroteAt, writingSince }: Watch,
  now: number,
  { afterMs }: WatchLimits,
): LifeboatState {
  const isAway = writingSince === null && now - wroteAt >= afterMs;
  return state === 'ashore' && isAway ? 'afloat' : state;
}

/**
 * The end of a landing: `whole` if everything is in the main database; otherwise, the lifeboat continues with the rest.
 */
export function landed(watch: Watch, whole: boolean): Watch {
  if (watch.state !== 'landing') return watch;
  return whole ? { ...watch, state: 'ashore' } : { ...watch, state: 'afloat', writingSince: null };
}
