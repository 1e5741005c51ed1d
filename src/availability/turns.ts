/** Lets at most `atOnce` pieces of work run at a time; the others wait in the order in which they came. */
export type Turns = {
  /** Rejects with the signal's reason when it is aborted before the work's turn has come. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

export function createTurns(atOnce: number): Turns {
  const waiting = new Set<() => void>();
  let running = 0;

  function wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(next);
      reject(signal?.reason);
    };
    const next = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(next);
    signal?.addEventListener('abort', leave, { once: true });
    return promise;
  }

  return {
    async run(work, signal) {
      signal?.throwIfAborted();
      if (running === atOnce) await wait(signal);
      else running++;
      try {
        return await work();
      } finally {
        // Whoever finishes hands its turn over, so nobody who comes later can take it.
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else running--;
      }
    },
  };
}
