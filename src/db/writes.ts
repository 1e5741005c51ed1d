import { isDatabaseAway } from './away.ts';

/** A write that is wanted and does not succeed for so long means that this process is of no use where it is. */
const STALLED_MS = 10_000;
/** A process that stood still has writes that look old; they get that long. */
const GRACE_MS = 5_000;

/** Whether the database takes what this process writes. */
export type Writes = {
  /** Runs a write, and notes what came of it. */
  follow<T>(write: () => Promise<T>): Promise<T>;
  /** True when the last write that ended found the database away. */
  readonly failing: boolean;
  /** For how long none has succeeded, milliseconds, when one has been wanted for that long; otherwise null. */
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
        // A database that refuses one row takes others.
        if (isDatabaseAway(error)) failing = true;
        else succeeded();
        throw error;
      }
    },
    get failing() {
      return failing;
    },
    stalledMs() {
      if (wantedSince === null || now() - wantedSince < GRACE_MS) return null;
      const ago = now() - succeededAt;
      return ago >= STALLED_MS ? ago : null;
    },
  };
}
