import type { LifeboatState } from './contract.ts';

/** What a try to write into the main database showed. `unclear`: it failed, but not because the database is away. */
export type Seen = 'wrote' | 'away' | 'unclear';

/** Times are in milliseconds of one steady clock. */
export type Watch = Readonly<{
  state: LifeboatState;
  /** When the main database last took a write, or when this process began to watch. */
  wroteAt: number;
  /** Since when every write has succeeded; null while the last one failed. */
  writingSince: number | null;
}>;

export type WatchLimits = {
  /** How long the main database takes no writes until the lifeboat takes pages. */
  afterMs: number;
  /** How long the main database takes writes again until the lifeboat lands. */
  landAfterMs: number;
};

/**
 * The beginning of a process. With `aboard`, pages of an earlier process wait in the lifeboat: it is afloat until the
 * main database shows that it takes writes, because nobody else escalates these pages. Its first write is enough.
 */
export function beginWatch(now: number, aboard: boolean): Watch {
  return aboard
    ? { state: 'afloat', wroteAt: now, writingSince: Number.NEGATIVE_INFINITY }
    : { state: 'ashore', wroteAt: now, writingSince: null };
}

/** The watch after a try to write into the main database, which ended at `now`. Only `landed` ends a landing that succeeds. */
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

/** The end of a landing: `whole` when everything is in the main database; otherwise the lifeboat goes on with the rest. */
export function landed(watch: Watch, whole: boolean): Watch {
  if (watch.state !== 'landing') return watch;
  return whole ? { ...watch, state: 'ashore' } : { ...watch, state: 'afloat', writingSince: null };
}
