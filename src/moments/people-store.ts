import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { MomentState } from './contract.ts';

/** Locks a moment until the end of the transaction, and tells how it stands; null when there is none. */
export async function lockMoment(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ state: MomentState } | null> {
  const row = await tx
    .selectFrom('moments')
    .select('state')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function markAcknowledged(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  userId: string,
): Promise<void> {
  await tx
    .updateTable('moments')
    .set({ state: 'acknowledged', acknowledged_at: at, acknowledged_by: userId, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/**
 * Its last event is taken to be a little newer than it was: senders repeat what they know, and the same event once more
 * must not make a new moment of what a person has ended. A newer event does.
 */
export async function markResolved(tx: Tx, at: Temporal.Instant, id: string, userId: string): Promise<void> {
  await sql`
    update moments set state = 'resolved', resolved_at = ${at}, resolved_by = ${userId}, updated_at = ${at},
      last_event_at = last_event_at + interval '1 microsecond'
    where id = ${id}`.execute(tx);
}

export type MomentPart = { organizationId: string; momentId: string; userId: string };

export async function insertComment(
  db: Handle,
  at: Temporal.Instant,
  { organizationId, momentId, userId }: MomentPart,
  text: string,
): Promise<void> {
  await db
    .insertInto('moment_comments')
    .values({ organization_id: organizationId, moment_id: momentId, user_id: userId, text, created_at: at })
    .execute();
}

/** `unknown`: the organization has no such page. `known`: it was linked before. */
export async function linkPage(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, momentId, userId }: MomentPart,
  pageId: string,
): Promise<'linked' | 'known' | 'unknown'> {
  const { rows } = await sql<{ page: boolean; linked: boolean }>`
    with page as (
      select id from pages where organization_id = ${organizationId} and id = ${pageId}
    ), linked as (
      insert into moment_pages (organization_id, moment_id, page_id, linked_by, linked_at)
      select ${organizationId}, ${momentId}, id, ${userId}, ${at} from page
      on conflict do nothing returning page_id
    )
    select exists (select from page) as page, exists (select from linked) as linked`.execute(tx);
  const [row] = rows;
  if (!row?.page) return 'unknown';
  return row.linked ? 'linked' : 'known';
}

/** Whether there was such a link. */
export async function unlinkPage(
  tx: Tx,
  organizationId: string,
  momentId: string,
  pageId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('moment_pages')
    .where('organization_id', '=', organizationId)
    .where('moment_id', '=', momentId)
    .where('page_id', '=', pageId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
