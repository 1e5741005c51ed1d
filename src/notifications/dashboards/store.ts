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

/** Removes all dashboards of a node that has ended. */
export async function forgetNode(db: Handle, node: number): Promise<void> {
  await db.deleteFrom('open_dashboards').where('node', '=', node).execute();
}

/** `latest` is the newest visible event, `count` the number of events since the given one. */
export type ChangedPage = { organizationId: string; pageId: string; latest: number; count: number };

/** The highest id of an event of a page; 0 if there is none. */
export async function latestEvent(db: Handle): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from page_events`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Pages of these organizations with events after the given one, latest first. */
export async function changedPages(
  db: Handle,
  organizationIds: readonly string[],
  afterEvent: number,
  limit: number,
): Promise<ChangedPage[]> {
  const { rows } = await sql<ChangedPage>`
    select organization_id as "organizationId", page_id as "pageId", max(id) as latest, count(*) as count
    from page_events where id > ${afterEvent} and organization_id = any(${organizationIds}::text[])
    group by organization_id, page_id order by max(id) desc limit ${limit}`.execute(db);
  return rows;
}
