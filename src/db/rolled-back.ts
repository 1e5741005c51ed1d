import type { Database, Tx } from './database.ts';

/**
 * Runs `work` in a transaction that is always rolled back, and returns its result: what would happen, computed by the
 * real code. Nothing is stored, no trigger notifies anybody, and locks are released at the end.
 */
export async function rolledBack<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const found: { result: T }[] = [];
  const undo = new Error('This transaction was rolled back on purpose.');
  try {
    await db.transaction().execute(async (tx) => {
      found.push({ result: await work(tx) });
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  const [only] = found;
  if (!only) throw undo;
  return only.result;
}
