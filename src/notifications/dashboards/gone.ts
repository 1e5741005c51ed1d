import type { Database, Tx } from '../../db/database.ts';
import { forgetNode, nodesWithDashboards } from './presence-store.ts';

/**
 * Dashboards of nodes that died are open no more: their rows would make a page wait for somebody who cannot hear it.
 * Returns how many nodes were gone.
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
