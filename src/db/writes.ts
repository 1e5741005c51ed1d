import { isDatabaseAway } from './away.ts';

/** After this long without a successful write while one is pending, a process cannot do its work. */
const STALLED_MS = 10_000;
/** A pending write gets at least this long, because after a pause of the process its last success looks old. */
const GRACE_MS = 5_000;

/** Tracks whether the database accepts this process's writes. */
export type Writes = {
  /** Runs a write and records its result. */
  follow<T>(write: () => Promise<T>): Promise<T>;
  /** True when the last write that ended failed because the database was away. */
  readonly failing: boolean;
  /** When the last successful write ended, by `performance.now()`; at first, when this process began. */
  readonly succeededAt: number;
  /** Milliseconds since the last successful write while one is pending, once that is `STALLED_MS`; otherwise null. */
  stalledMs(): number | null;
};

export function createWrites(now: () => number = () => performance.now()): Writes {
  let succeededAt = now();
  let wantedSince: number | null = null;
  let failing = false;

  function succeeded(): void {
    succeededAt = now();
    wantedSince = null;
    failing = false;
  }

  return {
    async follow(write) {
      wantedSince ??= now();
      try {
        const result = await write();
        succeeded();
        return result;
      } catch (error) {
        // A database that rejects one row accepts others.
        if (isDatabaseAway(error)) failing = true;
        else succeeded();
        throw error;
      }
    },
    get failing() {
      return failing;
    },
    get succeededAt() {
      return succeededAt;
    },
    stalledMs() {
      if (wantedSince === null || now() - wantedSince < GRACE_MS) return null;
      const ago = now() - succeededAt;
      return ago >= STALLED_MS ? ago : null;
    },
  };
}
