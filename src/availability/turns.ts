/** Lets at most `atOnce` pieces of work run at a time; the others wait in the order in which they came. */
export type Turns = { run<T>(work: () => Promise<T>): Promise<T> };

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      // Whoever finishes hands its turn over, so nobody who comes later can take it.
      if (running === atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
