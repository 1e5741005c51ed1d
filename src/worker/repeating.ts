/** Work that is repeated while there is more of it. */
export type Repeating = {
  /**
   * The round that this began; null when one is under way and goes on. Nobody waits: thousands who do, in a storm, are
   * all alive until its end, and collecting garbage then halts the process for a tenth of a second.
   */
  begin(): Promise<void> | null;
  /** Begins it, and resolves when nothing of it is under way any more. */
  run(): Promise<void>;
  /** Resolves when nothing is under way; never rejects. */
  idle(): Promise<void>;
};

/**
 * Runs `work` with some concurrency until it says that there is no more. Calls while it runs make it go round once
 * more, so that what became due meanwhile is never left lying.
 */
export function repeating(
  concurrency: number,
  isStopping: () => boolean,
  work: () => Promise<boolean>,
): Repeating {
  const running = new Set<Promise<void>>();
  let active = 0;
  let asked = 0;

  async function loop(): Promise<void> {
    active++;
    try {
      for (let seen = -1; seen !== asked; ) {
        seen = asked;
        // Where there was something to do there may be more: others help.
        while (!isStopping() && (await work())) spawn();
      }
    } finally {
      // In one go with the last look at `asked`: whoever asks a moment later begins anew.
      active--;
    }
  }

  function spawn(): Promise<void> | null {
    if (active >= concurrency) return null;
    const one = loop().finally(() => running.delete(one));
    running.add(one);
    // Whoever asked waits for it; others that wait for all of them must not see an unhandled rejection.
    one.catch(() => undefined);
    return one;
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  function begin(): Promise<void> | null {
    asked++;
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
  };
}
