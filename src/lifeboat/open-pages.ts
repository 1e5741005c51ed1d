import type { Database } from '../db/database.ts';
import type { RequestKind } from '../requests/contract.ts';
import type { Recovery } from '../requests/recovery.ts';
import { findFinished } from '../requests/store.ts';
import { type Aboard, openRequests, readAboard, stillOpen } from './aboard-store.ts';

const PAGES: readonly RequestKind[] = ['page.team', 'page.person'];
/** Calls of page sources, which raise pages with requests of their own once they are processed. */
const CALLS: readonly RequestKind[] = ['source'];
/** How often all open pages are read again; new ones are read at each look. */
const READ_ALL_EVERY_MS = 5_000;
/** The most pages that are taken aboard; the newest ones. */
const MOST_PAGES = 2_000;

/**
 * The open pages that this process or its lifeboat accepted, as they were in the main database a moment ago. Each page is
 * taken aboard by the node that accepted it, so that no two lifeboats escalate the same one.
 */
export type OpenPages = {
  /** Reads new pages, and from time to time all pages. */
  look(main: Database, recovery: Recovery | null): Promise<void>;
  /**
   * The pages that notified when they were read, once: from then on, the lifeboat has newer information about them, until
   * the next look.
   */
  take(): Aboard[];
  /** Reads the open pages that are aboard. Call the result when they have landed: the next outage concerns them, too. */
  landing(local: Database): Promise<() => void>;
  /**
   * Requests of the last minute that this node has not seen processed. Their pages may not have notified anybody yet.
   */
  unread(recovery: Recovery | null): string[];
};

export function createOpenPages(now: () => number = () => performance.now()): OpenPages {
  /** Requests of the last minute that were read at least once, and calls that were processed then. */
  let seen: ReadonlySet<string> = new Set();
  /** The requests of open pages. An acknowledged page is not taken aboard, but may notify again. */
  let followed: ReadonlySet<string> = new Set();
  /** Pages that notify, in the groups in which they were read. */
  let parts: Aboard[] = [];
  let readAllAt = now();

  /** Returns the requests of the open ones among these pages. */
  async function read(main: Database, requests: readonly string[], calls: readonly string[]) {
    const open = await stillOpen(main, { requests, calls, limit: MOST_PAGES });
    const notifying = open.flatMap(({ id, notifies }) => (notifies ? [id] : []));
    if (notifying.length > 0) parts.push(await readAboard(main, notifying));
    return open.map(({ id }) => id);
  }

  return {
    async look(main, recovery) {
      const ids = recovery?.remembered(PAGES) ?? [];
      const remembered = recovery?.remembered(CALLS) ?? [];
      const unseen = remembered.filter((id) => !seen.has(id));
      const finished = new Set(await findFinished(main, unseen));
      const all = now() - readAllAt >= READ_ALL_EVERY_MS;
      const wanted = [...new Set([...(all ? followed : []), ...ids.filter((id) => all || !seen.has(id))])];
      if (all) {
        readAllAt = now();
        const former = parts;
        parts = [];
        followed = new Set(
          await read(main, wanted, [...finished]).catch((error) => {
            parts = former;
            throw error;
          }),
        );
      } else if (wanted.length + finished.size > 0)
        followed = new Set([...followed, ...(await read(main, wanted, [...finished]))]);
      seen = new Set([...ids, ...remembered.filter((id) => seen.has(id) || finished.has(id))]);
    },
    take() {
      const taken = parts;
      parts = [];
      readAllAt = Number.NEGATIVE_INFINITY;
      return taken;
    },
    async landing(local) {
      const open = await openRequests(local, MOST_PAGES);
      return () => {
        followed = new Set([...followed, ...open]);
        readAllAt = Number.NEGATIVE_INFINITY;
      };
    },
    unread: (recovery) => (recovery?.remembered([...PAGES, ...CALLS]) ?? []).filter((id) => !seen.has(id)),
  };
}
