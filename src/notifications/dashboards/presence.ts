import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { deletePresence, insertPresence, type Present } from './presence-store.ts';

/**
 * Keeps the rows of `open_dashboards` as this process is: one for everybody who has a dashboard open here. A page is
 * only sent to a dashboard that the table knows of.
 */
export type Presence = {
  /** Resolves when the row stands; call what it gives when the dashboard closes. */
  enter(who: Present): Promise<() => Promise<void>>;
  /** Writes all rows again when the node got another number meanwhile, and those that could not be written before. */
  keep(): Promise<void>;
  /** Whether some rows could not be written and do not say what is open here. */
  isBehind(): boolean;
};

export function createPresence(db: Database, clock: Clock, node: () => number): Presence {
  const open = new Map<string, Present & { count: number }>();
  const writing = new Map<string, Promise<void>>();
  const unwritten = new Set<string>();
  let writtenAs = 0;

  /** One write at a time for each person, each from the state as it is then: a reload closes and opens at once. */
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
    // Until it is written: the node may come back under the same number.
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
        // Nobody will close what never opened.
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
      // One that cannot be written, now or ever, must not keep the others from being seen.
      await Promise.allSettled([...unwritten].filter((userId) => !writing.has(userId)).map(write));
    },
    isBehind: () => unwritten.size > 0,
  };
}
