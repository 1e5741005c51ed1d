/**
 * Group commit: what arrives while a write is under way is written together by the next one, and each caller goes on
 * only after the commit that carries its item. One fsync serves all of them.
 */
export type GroupCommit<Item, Result> = {
  /** Settles after the commit. Rejects when this item, not a neighbour, could not be written. */
  write(item: Item): Promise<Result>;
  /** Items that wait for the next write. */
  readonly waiting: number;
};

export type GroupCommitSettings<Item, Result> = {
  /** Writes all items in one transaction and returns a result, or the error of that item alone, in their order. */
  flush(items: readonly Item[]): Promise<(Result | Error)[]>;
  /** Items with the same non-null name never share a write. */
  exclusive?(item: Item): string | null;
  maxItems: number;
  /** How much an item adds to a write that carries `maxWeight` at most; a heavier one goes alone. */
  weight?(item: Item): number;
  maxWeight?: number;
  /** Writes under way at once: while one waits for the disk, another may be filling up. */
  concurrency: number;
  /** Whether an error came from the items (then each is tried alone) and not from a database that is away. */
  isItemsFault(error: unknown): boolean;
};

type Entry<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

export function createGroupCommit<Item, Result>(
  settings: GroupCommitSettings<Item, Result>,
): GroupCommit<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  let running = 0;

  function takeBatch(): Entry<Item, Result>[] {
    const names = new Set<string>();
    const batch: Entry<Item, Result>[] = [];
    const rest: Entry<Item, Result>[] = [];
    let room = settings.maxWeight ?? Number.POSITIVE_INFINITY;
    for (const entry of queue) {
      const name = settings.exclusive?.(entry.item) ?? null;
      const weight = settings.weight?.(entry.item) ?? 0;
      const full = batch.length >= settings.maxItems || (batch.length > 0 && weight > room);
      if (full || (name !== null && names.has(name))) rest.push(entry);
      else {
        room -= weight;
        if (name !== null) names.add(name);
        batch.push(entry);
      }
    }
    queue = rest;
    return batch;
  }

  async function flush(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await settings.flush(batch.map((entry) => entry.item));
      for (const [index, entry] of batch.entries()) settle(entry, results[index] as Result | Error);
    } catch (error) {
      if (batch.length === 1 || !settings.isItemsFault(error)) for (const entry of batch) entry.reject(error);
      // One bad item must not take its neighbours with it.
      else for (const entry of batch) await flush([entry]);
    }
  }

  function settle(entry: Entry<Item, Result>, result: Result | Error): void {
    if (result instanceof Error) entry.reject(result);
    else entry.resolve(result);
  }

  function pump(): void {
    while (running < settings.concurrency && queue.length > 0) {
      const batch = takeBatch();
      running++;
      flush(batch).finally(() => {
        running--;
        pump();
      });
    }
  }

  return {
    get waiting() {
      return queue.length;
    },
    write(item) {
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        // Items of the same turn of the event loop go together.
        if (running < settings.concurrency) setImmediate(pump);
      });
    },
  };
}
