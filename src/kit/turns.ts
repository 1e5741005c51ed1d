/** Runs at most `atOnce` tasks at a time; the others wait in order of arrival. */
export type Turns = {
  /** Rejects with the reason of the signal if it is aborted before the task starts. */
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
        // Pass the turn on directly, so that a later task cannot take it first.
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else running--;
      }
    },
  };
}
