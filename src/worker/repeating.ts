/** Work that repeats while there is more to do. */
export type Repeating = {
  /**
   * Starts a run and returns it; null when a run is in progress, which then continues. Callers do not wait for that one:
   * thousands of pending promises in a storm would make garbage collection pause the process for a tenth of a second.
   */
  begin(): Promise<void> | null;
  /** Starts a run if none is in progress, and resolves when all runs have ended. */
  run(): Promise<void>;
  /** Resolves when no run is in progress; never rejects. */
  idle(): Promise<void>;
  readonly isRunning: boolean;
};

/**
 * Runs `work` with some concurrency until it reports that none is left. A call while it runs makes it try again at the
 * end, so that work that became due meanwhile is not left behind.
 */
export function repeating(
  concurrency: number,
  isStopping: () => boolean,
  work: () => Promise<boolean>,
): Repeating {
  const running = new Set<Promise<void>>();
  let active = 0;
  let requests = 0;

  async function loop(): Promise<void> {
    active++;
    try {
      for (let seen = -1; seen !== requests; ) {
        seen = requests;
        // There may be more work, so start another loop.
        while (!isStopping() && (await work())) spawn();
      }
    } finally {
      // Happens in the same tick as the last check of `requests`, so a later call starts a new loop.
      active--;
    }
  }

  function spawn(): Promise<void> | null {
    if (active >= concurrency) return null;
    const one = loop().finally(() => running.delete(one));
    running.add(one);
    // The caller handles a rejection; this keeps it from being reported as unhandled elsewhere.
    one.catch(() => undefined);
    return one;
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  function begin(): Promise<void> | null {
    requests++;
    return spawn();
  }

  return {
    begin,
    async run() {
      begin();
      await settle();
    },
    async idle() {
      await settle().catch(() => undefined);
    },
    get isRunning() {
      return running.size > 0;
    },
  };
}
