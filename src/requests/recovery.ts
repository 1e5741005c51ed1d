import { isDatabaseAway } from '../db/away.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import type { Acceptance } from './acceptance.ts';
import type { RequestKind } from './contract.ts';

/**
 * Longer than the replication lag at which a cluster would still fail over by itself. It is counted back from the last
 * successful write, because a standby may be promoted minutes later, and lacks the requests that were accepted last.
 */
const KEPT_MS = 60_000;
/** Memory limits during a storm. */
const MOST_ITEMS = 50_000;
const MOST_BYTES = 64 * 1_024 * 1_024;
const BATCH = 200;
/** Approximate size of an item without its texts. */
const OVERHEAD_BYTES = 1_000;

type RecoverOptions = {
  isWanted?(item: Acceptance): boolean;
  failed?(error: unknown, requestId: string): void;
};

/** Writes the items that the database lacks, and returns their number. */
export type WriteAgain = (db: Database, items: readonly Acceptance[]) => Promise<number>;

/**
 * Requests that were answered with 200 within the last minute in which the database accepted writes. With asynchronous
 * replication, a promoted standby may lack some of them; this process then writes them again.
 */
export type Recovery = {
  /** Counts promotions. A request written under a lower number may be missing. */
  readonly promotions: number;
  promoted(): void;
  remember(items: readonly Acceptance[], again: WriteAgain): void;
  /**
   * Writes those of the wanted requests that `db` lacks, and returns their number. `failed` is called with each that cannot be
   * written; by default, this is logged as a loss.
   * @throws when the database is away
   */
  recover(db: Database, options?: RecoverOptions): Promise<number>;
  /** The ids of remembered requests of these kinds. */
  remembered(kinds: readonly RequestKind[]): string[];
  /** How much is remembered at the moment. */
  readonly size: { items: number; bytes: number };
};

/**
 * `acceptedMs`: by the clock of this machine, which the database of a lifeboat shares. It is taken before the sender
 * gets its answer, so that one sender's requests have the same order at all nodes.
 */
type Entry = { item: Acceptance; again: WriteAgain; at: number; acceptedMs: number; bytes: number };

type Options = {
  now?: () => number;
  /** When this process last wrote to the database, by the same clock as `now`. */
  lastWriteAt?: () => number;
  mostItems?: number;
  mostBytes?: number;
};

export function createRecovery(
  log: Log,
  {
    now = () => performance.now(),
    lastWriteAt = now,
    mostItems = MOST_ITEMS,
    mostBytes = MOST_BYTES,
  }: Options = {},
): Recovery {
  let entries: Entry[] = [];
  let first = 0;
  let bytes = 0;
  let promotions = 0;

  function forget(): void {
    const oldest = lastWriteAt() - KEPT_MS;
    for (let entry = entries[first]; entry; entry = entries[first]) {
      if (entry.at >= oldest && entries.length - first <= mostItems && bytes <= mostBytes) break;
      bytes -= entry.bytes;
      first++;
    }
    // Compact the list only now and then, so that each item is moved about once.
    if (first > 1_000 && first * 2 > entries.length) {
      entries = entries.slice(first);
      first = 0;
    }
  }

  function lost(error: unknown, requestId: string): void {
    log.error({ err: error, request: requestId }, 'could not restore a request that was lost in a failover');
  }

  async function write(
    db: Database,
    { again, failed }: { again: WriteAgain; failed: (error: unknown, requestId: string) => void },
    items: readonly Acceptance[],
  ): Promise<number> {
    try {
      return await again(db, items);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (items.length > 1) {
        let written = 0;
        // A request whose team or person was lost as well must not keep the others from being written.
        for (const item of items) written += await write(db, { again, failed }, [item]);
        return written;
      }
      for (const { requestId } of items) failed(error, requestId);
      return 0;
    }
  }

  return {
    get promotions() {
      return promotions;
    },
    promoted() {
      promotions++;
    },
    remember(items, again) {
      const [at, acceptedMs] = [now(), Date.now()];
      for (const item of items) {
        const size = sizeOf(item);
        bytes += size;
        entries.push({ item, again, at, acceptedMs, bytes: size });
      }
      forget();
    },
    async recover(db, { isWanted = () => true, failed = lost } = {}) {
      forget();
      let written = 0;
      const wanted = entries.slice(first).filter(({ item }) => isWanted(item));
      for (const [again, known] of Map.groupBy(wanted, (entry) => entry.again))
        for (let from = 0; from < known.length; from += BATCH) {
          const items = known.slice(from, from + BATCH).map(withTime);
          written += await write(db, { again, failed }, items);
        }
      return written;
    },
    remembered(kinds) {
      forget();
      return entries.slice(first).flatMap(({ item }) => (kinds.includes(item.kind) ? [item.requestId] : []));
    },
    get size() {
      return { items: entries.length - first, bytes };
    },
  };
}

/** Events that are written again keep their time of receipt, because later ones may have been processed first. */
function withTime({ item, acceptedMs }: Entry): Acceptance {
  return { ...item, row: { ...item.row, accepted_ms: acceptedMs } };
}

function sizeOf(item: Acceptance): number {
  const texts = Object.values(item.row).filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + text.length, OVERHEAD_BYTES);
}
