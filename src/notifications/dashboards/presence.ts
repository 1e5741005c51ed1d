import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { deletePresence, forgetNode, insertPresence, nodesWithDashboards, type Present } from './store.ts';

/**
 * Keeps `open_dashboards` up to date: one row for each person with a dashboard open in this process. Pages are only sent to
 * dashboards in that table.
 */
export type Presence = {
  /** Resolves when the row is written, with a function to call when the dashboard closes. */
  enter(who: Present): Promise<() => Promise<void>>;
  /** Writes the rows that could not be written before. If the node has a new number, writes all rows. */
  keep(): Promise<void>;
  /** Whether some rows could not be written and are out of date. */
  isBehind(): boolean;
};

export function createPresence(db: Database, clock: Clock, node: () => number): Presence {
  const open = new Map<string, Present & { count: number }>();
  const writing = new Map<string, Promise<void>>();
  const unwritten = new Set<string>();
  let writtenAs = 0;

  /** Writes one person's row at a time, from the latest state, because a reload closes and opens at once. */
  function write(userId: string): Promise<void> {
    const before = writing.get(userId) ?? Promise.resolve();
    const after = before.catch(() => undefined).then(() => writeNow(userId));
    writing.set(userId, after);
    const tidy = () => {
      if (writing.get(userId) === after) writing.delete(userId);
    };
    after.then(tidy, tidy);
    return after;
  }

  async function writeNow(userId: string): Promise<void> {
    const number = node();
    // Stays set until the write succeeds, because the node may come back with the same number.
    unwritten.add(userId);
    if (number === 0) return;
    const who = open.get(userId);
    if (who) await insertPresence(db, clock, number, who);
    else await deletePresence(db, number, userId);
    unwritten.delete(userId);
  }

  function leave(userId: string): Promise<void> {
    const who = open.get(userId);
    if (!who) return Promise.resolve();
    who.count -= 1;
    if (who.count > 0) return Promise.resolve();
    open.delete(userId);
    return write(userId);
  }

  return {
    async enter(who) {
      const known = open.get(who.userId);
      if (known) known.count += 1;
      else open.set(who.userId, { organizationId: who.organizationId, userId: who.userId, count: 1 });
      if (writtenAs === 0) writtenAs = node();
      await write(who.userId).catch(async (error) => {
        // The caller never closes a dashboard that it failed to open.
        await leave(who.userId).catch(() => undefined);
        throw error;
      });
      let left = false;
      return async () => {
        if (left) return;
        left = true;
        await leave(who.userId);
      };
    },
    async keep() {
      const number = node();
      if (number === 0) return;
      if (number !== writtenAs) for (const userId of open.keys()) unwritten.add(userId);
      writtenAs = number;
      // One row that cannot be written must not delay the others.
      await Promise.allSettled([...unwritten].filter((userId) => !writing.has(userId)).map(write));
    },
    isBehind: () => unwritten.size > 0,
  };
}

/**
 * Deletes the dashboards of nodes that died, so that no page waits for a person who cannot see it. Returns the number
 * of those nodes.
 */
export async function forgetLostDashboards(
  db: Database,
  ownNode: number,
  isGone: (tx: Tx, node: number) => Promise<boolean>,
): Promise<number> {
  let gone = 0;
  for (const node of await nodesWithDashboards(db)) {
    if (node === ownNode) continue;
    gone += await db.transaction().execute(async (tx) => {
      if (!(await isGone(tx, node))) return 0;
      await forgetNode(tx, node);
      return 1;
    });
  }
  return gone;
}
