import { sql } from 'kysely';
import type { Handle } from '../../db/database.ts';

/** `latest` is the newest visible event, `count` the number of events since the given one. */
export type ChangedPage = { organizationId: string; pageId: string; latest: number; count: number };

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
