import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';

/** A notice in a person's inbox. */
export type StoredNotice = {
  id: number;
  userId: string;
  kind: string;
  subject: string;
  text: string;
  path: string | null;
  readAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
};

const MOST = 50;

/** The latest notices of one person, newest first. */
export async function listNotices(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<StoredNotice[]> {
  return selectNotices(db)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
}

/** How many of the latest notices are unread; older ones do not count. */
export async function countUnread(db: Handle, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select read_at from notices where user_id = ${userId} order by id desc limit ${MOST}
    ) as latest where read_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Marks a person's notices up to this one as read. */
export async function markRead(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
  upTo: number,
): Promise<void> {
  await db
    .updateTable('notices')
    .set({ read_at: at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '<=', upTo)
    .where('read_at', 'is', null)
    .execute();
}

export async function latestNotice(db: Handle): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from notices`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Up to a hundred notices of these people with a higher id, oldest first. */
export async function noticesAfter(
  db: Handle,
  userIds: readonly string[],
  after: number,
): Promise<StoredNotice[]> {
  if (userIds.length === 0) return [];
  return selectNotices(db)
    .where('id', '>', after)
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .limit(100)
    .execute();
}

function selectNotices(db: Handle) {
  return db
    .selectFrom('notices')
    .select([
      'id',
      'user_id as userId',
      'kind',
      'subject',
      'text',
      'path',
      'read_at as readAt',
      'created_at as createdAt',
    ]);
}
