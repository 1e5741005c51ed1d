import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';

export type HeldPage = { pageId: string; userId: string; name: string };

/** How long after a person is disabled their pages are still searched; longer than any node is away. */
const LOOKED_FOR = { hours: 24 };

/**
 * Open pages that wait for disabled people: people who were notified and could still answer, have deliveries to come, or
 * acknowledged the page.
 */
export async function pagesOfDisabledPeople(
  db: Handle,
  at: Temporal.Instant,
  limit: number,
): Promise<HeldPage[]> {
  const { rows } = await sql<HeldPage>`
    select p.id as "pageId", u.id as "userId", u.name
    from users u join pages p on p.organization_id = u.organization_id and p.state in ('notifying', 'acknowledged')
    where u.disabled_at > ${at.subtract(LOOKED_FOR)} and (
      p.state = 'notifying' and exists (select from responders r
        where r.page_id = p.id and r.user_id = u.id and r.unreachable_at is null)
      or p.state = 'acknowledged' and p.acknowledged_by = u.id
        and (p.remind_at is null or p.remind_at > ${at}))
    order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Cancels the unsent deliveries of a page to one person, and returns their number. */
export async function cancelDeliveriesTo(
  tx: Tx,
  { pageId, userId, name }: HeldPage,
  at: Temporal.Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: at, error: `${name} was disabled.` })
    .where('page_id', '=', pageId)
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'retrying'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks one person of a page as unreachable, and returns the runs that this ends. */
export async function endRunsOf(
  tx: Tx,
  { pageId, userId }: HeldPage,
  at: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx
    .updateTable('responders')
    .set({ unreachable_at: at })
    .where('page_id', '=', pageId)
    .where('user_id', '=', userId)
    .where('unreachable_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function isDisabled(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
