import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { MomentState } from './contract.ts';
import type { EndedMoment } from './follow-up.ts';
import type { Moment } from './moment.ts';
import { lockWebhooks } from './store.ts';

/** Locks a moment until the end of the transaction and returns its state; null if there is none. */
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
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The fields of a moment that programs get. */
export type TurnedMoment = Pick<
  Moment,
  | 'id'
  | 'organizationId'
  | 'teamId'
  | 'name'
  | 'type'
  | 'priority'
  | 'state'
  | 'source'
  | 'sourceUrl'
  | 'occurredAt'
>;

export async function findTurned(tx: Tx, organizationId: string, id: string): Promise<TurnedMoment | null> {
  const { rows } = await sql<TurnedMoment>`
    select id, organization_id as "organizationId", team_id as "teamId", name, type, priority, state, source,
      source_url as "sourceUrl", occurred_at as "occurredAt"
    from moments where organization_id = ${organizationId} and id = ${id}`.execute(tx);
  return rows[0] ?? null;
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
 * Moves the time of the last event by the smallest step. Senders repeat events, and the same event must not open a new
 * moment after a person has resolved it. A newer event does.
 */
export async function markResolved(tx: Tx, at: Temporal.Instant, id: string, userId: string): Promise<void> {
  await sql`
    update moments set state = 'resolved', resolved_at = ${at}, resolved_by = ${userId}, updated_at = ${at},
      last_event_at = last_event_at + interval '1 microsecond'
    where id = ${id}`.execute(tx);
}

/** The fields that decide whether a moment can be reopened. */
export type LockedEnd = EndedMoment & {
  state: MomentState;
  webhookId: string | null;
  dedupKey: string | null;
  /** The same problem has been reported again as another moment. */
  hasNewer: boolean;
};

/**
 * Locks a moment and its webhook, so that no event of the same webhook is recorded until the end of the transaction.
 * Null if there is none.
 */
export async function lockEnd(tx: Tx, organizationId: string, id: string): Promise<LockedEnd | null> {
  const { rows } = await sql<{ webhookId: string | null }>`
    select webhook_id as "webhookId" from moments where organization_id = ${organizationId} and id = ${id}`.execute(
    tx,
  );
  const webhookId = rows[0]?.webhookId ?? null;
  if (webhookId !== null) await lockWebhooks(tx, [webhookId]);
  const found = await sql<LockedEnd>`
    select state, webhook_id as "webhookId", dedup_key as "dedupKey", acknowledged_at as "acknowledgedAt",
      last_event_at as "lastEventAt", resolved_by as "resolvedBy",
      dedup_key is not null and exists (select from moments newer where newer.webhook_id = m.webhook_id
        and newer.dedup_key = m.dedup_key and newer.id > m.id) as "hasNewer"
    from moments m where organization_id = ${organizationId} and id = ${id} for no key update`.execute(tx);
  return found.rows[0] ?? null;
}

/** Reopens it; the person who had resolved it stays recorded. */
export async function markReopened(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  userId: string,
  { state, lastEventAt }: { state: MomentState; lastEventAt: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into moment_reopenings (organization_id, moment_id, resolved_at, resolved_by, reopened_at, reopened_by)
    select organization_id, id, resolved_at, resolved_by, ${at}, ${userId} from moments where id = ${id}`.execute(
    tx,
  );
  await tx
    .updateTable('moments')
    .set({ state, resolved_at: null, resolved_by: null, last_event_at: lastEventAt, updated_at: at })
    .where('id', '=', id)
    .execute();
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

/** `unknown`: the organization has no such page. `known`: it was already linked. */
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

/** Returns whether there was such a link. */
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
