import { createFairQueue, type Turn } from '../kit/fair-queue.ts';

/**
 * Group commit: items that arrive during a write are written together by the next one, and each caller continues after
 * the commit that contains its item. One fsync serves all of them.
 */
export type GroupCommit<Item, Result> = {
  /** Resolves after the commit. Rejects if this item, not another one of the batch, could not be written. */
  write(item: Item): Promise<Result>;
  /** The number of items that wait for the next write. */
  readonly waiting: number;
};

export type GroupCommitSettings<Item, Result> = {
  /** Writes all items in one transaction. Returns, in their order, a result or that item's error. */
  flush(items: readonly Item[]): Promise<(Result | Error)[]>;
  /**
   * The turn of an item if more items wait than one write holds. Without it, items are written in the order of arrival.
   */
  turnOf?(item: Item): Omit<Turn, 'rank'>;
  /** The limits for waiting items: in total, for one turn, and by weight. Further items are rejected. */
  mostWaiting?: { all: number; ofOne: number; weight: number; refusal(): Error };
  /** Items with the same non-null name are never in the same write. */
  exclusive?(item: Item): string | null;
  maxItems: number;
  /** The weight of an item; a write holds at most `maxWeight`, and a heavier item is written alone. */
  weight?(item: Item): number;
  maxWeight?: number;
  /** The most writes at a time. */
  concurrency: number;
  /**
   * Another write begins only once the last one has taken so long, in milliseconds: few large writes cost the database less than many
   * small ones, but one that waits for a lock or the disk does not hold up the others. 0 if left out.
   */
  aloneForMs?: number;
  /** Whether the items caused the error, so that each is tried alone, as opposed to a database that is away. */
  isItemsFault(error: unknown): boolean;
};

type Entry<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

const NOBODYS = { organizationId: '', turnOf: '' };

export function createGroupCommit<Item, Result>(
  settings: GroupCommitSettings<Item, Result>,
): GroupCommit<Item, Result> {
  const queue = createFairQueue<Entry<Item, Result>>(({ item }) => turnFor(item));
  let running = 0;
  let waitingWeight = 0;
  let beganAt = 0;
  let timed = false;

  function turnFor(item: Item): Turn {
    return { ...(settings.turnOf?.(item) ?? NOBODYS), rank: 0 };
  }

  function weightOf(item: Item): number {
    return settings.weight?.(item) ?? 0;
  }

  function takeBatch(): Entry<Item, Result>[] {
    const names = new Set<string>();
    const batch: Entry<Item, Result>[] = [];
    const rest: Entry<Item, Result>[] = [];
    let room = settings.maxWeight ?? Number.POSITIVE_INFINITY;
    while (batch.length < settings.maxItems) {
      const entry = queue.shift();
      if (!entry) break;
      const name = settings.exclusive?.(entry.item) ?? null;
      const weight = weightOf(entry.item);
      const tooHeavy = batch.length > 0 && weight > room;
      if (tooHeavy || (name !== null && names.has(name))) rest.push(entry);
      else {
        room -= weight;
        if (name !== null) names.add(name);
        batch.push(entry);
      }
    }
    for (const entry of rest.toReversed()) queue.unshift(entry);
    for (const { item } of batch) waitingWeight -= weightOf(item);
    return batch;
  }

  function isFull(item: Item): boolean {
    const { mostWaiting } = settings;
    if (!mostWaiting) return false;
    const { organizationId, turnOf } = turnFor(item);
    return (
      queue.size >= mostWaiting.all ||
      queue.sizeOf(organizationId, turnOf) >= mostWaiting.ofOne ||
      waitingWeight >= mostWaiting.weight
    );
  }

  async function flush(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await settings.flush(batch.map((entry) => entry.item));
      for (const [index, entry] of batch.entries()) settle(entry, results[index] as Result | Error);
    } catch (error) {
      if (batch.length === 1 || !settings.isItemsFault(error)) for (const entry of batch) entry.reject(error);
      // One bad item must not fail the rest of the batch.
      else for (const entry of batch) await flush([entry]);
    }
  }

  function settle(entry: Entry<Item, Result>, result: Result | Error): void {
    if (result instanceof Error) entry.reject(result);
    else entry.resolve(result);
  }

  function pump(): void {
    while (running < settings.concurrency && queue.size > 0) {
      const early = beganAt + (settings.aloneForMs ?? 0) - performance.now();
      if (running > 0 && early > 0) {
        pumpIn(early);
        break;
      }
      const batch = takeBatch();
      running++;
      beganAt = performance.now();
      flush(batch).finally(() => {
        running--;
        pump();
      });
    }
  }

  function pumpIn(ms: number): void {
    if (timed) return;
    timed = true;
    setTimeout(() => {
      timed = false;
      pump();
    }, ms);
  }

  return {
    get waiting() {
      return queue.size;
    },
    write(item) {
      if (isFull(item)) return Promise.reject(settings.mostWaiting?.refusal());
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        waitingWeight += weightOf(item);
        // Items that arrive in the same turn of the event loop share a write.
        if (running < settings.concurrency) setImmediate(pump);
      });
    },
  };
}
