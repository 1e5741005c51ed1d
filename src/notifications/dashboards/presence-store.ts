import { sql } from 'kysely';
import type { Clock } from '../../db/clock.ts';
import type { Handle } from '../../db/database.ts';

export type Present = { organizationId: string; userId: string };

/** Records that a person has a dashboard open on this node. */
export async function insertPresence(db: Handle, clock: Clock, node: number, who: Present): Promise<void> {
  await sql`
    insert into open_dashboards (organization_id, user_id, node, opened_at)
    values (${who.organizationId}, ${who.userId}, ${node}, ${clock.sql})
    on conflict (user_id, node) do nothing`.execute(db);
}

export async function deletePresence(db: Handle, node: number, userId: string): Promise<void> {
  await db.deleteFrom('open_dashboards').where('node', '=', node).where('user_id', '=', userId).execute();
}

/** Nodes with open dashboards. */
export async function nodesWithDashboards(db: Handle): Promise<number[]> {
  const rows = await db.selectFrom('open_dashboards').select('node').distinct().execute();
  return rows.map((row) => row.node);
}

export async function forgetNode(db: Handle, node: number): Promise<void> {
  await db.deleteFrom('open_dashboards').where('node', '=', node).execute();
}
