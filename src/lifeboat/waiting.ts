import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import {
  type Aboard,
  claimedWaiting,
  claimWaiting,
  forgetOthers,
  type Kept,
  keepWaiting,
  listWaiting,
  noteAboard,
  type Row,
  readWaiting,
} from './aboard-store.ts';
import type { StandBy } from './contract.ts';
import { board } from './land.ts';
import { type Columns, commonColumns } from './land-store.ts';

/** Rows that are read and written together. */
const BATCH = 200;
/** Above this many waiting pages, they are read every few seconds instead of every second. */
const FEW = 500;
const READ_MANY_EVERY_MS = 5_000;

/**
 * The pages of sources that wait in the main database for a rule, for hours or for the end of a window. Each is kept by
 * one lifeboat, in its own database, and pages from there if it becomes due while the main database is away.
 */
export type WaitingPages = {
  /** Takes pages that no other lifeboat has, and reads changes. Call it only while nothing is aboard. */
  look(main: Database, local: Database, lifeboat: string): Promise<void>;
  /**
   * Lets all kept pages wait in the lifeboat. Pages that are due, or that an earlier process kept, are marked as
   * possible repeats. @param recovered requests that are processed again in the lifeboat, including their waiting pages
   * without a dedup key
   */
  board(
    services: { local: Database; log: Log; standBy: StandBy },
    recovered: ReadonlySet<string>,
  ): Promise<void>;
};

export function createWaitingPages(now: () => number = () => performance.now()): WaitingPages {
  /** The version of each kept row. Null: it is unknown what an earlier process kept. */
  let versions: ReadonlyMap<string, string> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    async look(main, local, lifeboat) {
      if ((versions?.size ?? 0) > FEW && now() - readAt < READ_MANY_EVERY_MS) return;
      readAt = now();
      await claimWaiting(main, lifeboat);
      const claimed = await claimedWaiting(main, lifeboat);
      const changed = [...claimed].filter(([id, version]) => versions?.get(id) !== version).map(([id]) => id);
      const isSame = versions !== null && changed.length === 0 && versions.size === claimed.size;
      if (isSame) return;
      for (let from = 0; from < changed.length; from += BATCH)
        await keepWaiting(local, await readWaiting(main, changed.slice(from, from + BATCH)));
      await forgetOthers(local, claimed.keys());
      versions = claimed;
    },
    async board(services, recovered) {
      const mayAllRepeat = versions === null;
      // Pages that come back are read again.
      versions = null;
      const { local } = services;
      const columns = await commonColumns(local, local);
      for (let from = 0; ; from += BATCH) {
        const kept = await listWaiting(local, from, BATCH);
        if (kept.length === 0) return;
        const some = kept
          .filter(({ waiting }) => waiting.dedup_key !== null || !recovered.has(String(waiting.request_id)))
          .map(({ isDue, ...one }) => marked(one, mayAllRepeat || isDue));
        await board({ ...services, columns: columnsOf(columns, some) }, aboardOf(some), (tx) =>
          noteAboard(tx, some),
        );
      }
    },
  };
}

function marked({ waiting, request }: Kept, mayRepeat: boolean): Kept {
  return {
    request,
    waiting: { ...waiting, lifeboat: null, may_repeat: mayRepeat || waiting.may_repeat === true },
  };
}

function aboardOf(kept: readonly Kept[]): Aboard {
  const requests = new Map(kept.map(({ request }) => [request.id, request]));
  return {
    requests: [...requests.values()],
    waiting_pages: kept.map(({ waiting }) => waiting),
    idempotency_keys: [],
    pages: [],
    page_steps: [],
    page_events: [],
    responders: [],
    deliveries: [],
    delivery_attempts: [],
    request_pages: [],
    pages_again: [],
    all_clears: [],
    received_notifications: [],
    webhook_deliveries: [],
    lifeboat_waiting: [],
    page_ends: [],
  };
}

/** The columns of the rows: another release may have read them. */
function columnsOf(columns: Columns, kept: readonly Kept[]): Columns {
  const [first] = kept;
  const among = (table: string, row: Row | undefined) =>
    (columns.get(table) ?? []).filter((name) => row !== undefined && name in row);
  return new Map([
    ...columns,
    ['requests', among('requests', first?.request)],
    ['waiting_pages', among('waiting_pages', first?.waiting)],
  ]);
}
