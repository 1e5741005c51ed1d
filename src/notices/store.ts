import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { type AddressedMessage, type Notice, QUIET_METHODS } from './contract.ts';

/** How long a notice is worth sending; it stays in the inbox. */
const WORTH_SENDING = { hours: 24 };

/**
 * Queues notices in the caller's transaction: for the inbox, and as a message to each verified quiet contact method that
 * takes notices. Skips disabled people and dedup keys that the person had before.
 */
export async function queueNotices(tx: Tx, at: Temporal.Instant, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const queued = await insertNotices(tx, at, notices);
  if (queued.length === 0) return;
  const ids = queued.map(({ id }) => id);
  const { rows: methods } = await sql<{ noticeId: number; methodId: string }>`
    select n.id as "noticeId", c.id as "methodId" from notices n
    join contact_methods c on c.organization_id = n.organization_id and c.user_id = n.user_id
    where n.id = any(${ids}::bigint[]) and c.verified_at is not null and c.notices
      and c.type = any(${QUIET_METHODS}::text[])
    order by n.id, c.position`.execute(tx);
  if (methods.length === 0) return;
  await sql`
    insert into messages (id, organization_id, notice_id, contact_method_id, channel, address, subject, text, url, state,
      due_at, expires_at, created_at)
    select p.id, n.organization_id, n.id, c.id, c.type, c.value, n.subject, n.text, null, 'waiting',
      ${at}::timestamptz, ${at.add(WORTH_SENDING)}::timestamptz, ${at}::timestamptz
    from unnest(${methods.map(() => newId('message'))}::text[], ${methods.map(({ noticeId }) => noticeId)}::bigint[],
      ${methods.map(({ methodId }) => methodId)}::text[]) as p (id, notice_id, method_id)
    join notices n on n.id = p.notice_id
    join contact_methods c on c.id = p.method_id`.execute(tx);
}

/** Inserts notices with new dedup keys, for people of the organization who are not disabled. */
async function insertNotices(
  tx: Tx,
  at: Temporal.Instant,
  notices: readonly Notice[],
): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    insert into notices (organization_id, user_id, kind, subject, text, path, dedup_key, created_at)
    select n.organization_id, n.user_id, n.kind, n.subject, n.text, n.path, n.dedup_key, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(notices.map(row))}::jsonb) as n (organization_id text, user_id text,
      kind text, subject text, text text, path text, dedup_key text, place bigint)
    join users u on u.organization_id = n.organization_id and u.id = n.user_id and u.disabled_at is null
    order by n.place
    on conflict (user_id, dedup_key) where dedup_key is not null do nothing
    returning id`.execute(tx);
  return rows;
}

/** Shortens long texts instead of refusing the notice. */
function row(notice: Notice, place: number) {
  return {
    place,
    organization_id: notice.organizationId,
    user_id: notice.userId,
    kind: notice.kind,
    subject: cut(notice.subject, 300),
    text: cut(notice.text, 10_000),
    path: notice.path,
    dedup_key: notice.dedupKey,
  };
}

/** Queues a text to one address in the caller's transaction. Skips a dedup key that the address had before. */
export async function queueMessage(tx: Tx, at: Temporal.Instant, message: AddressedMessage): Promise<void> {
  await sql`
    insert into messages (id, organization_id, channel, address, subject, text, url, dedup_key, state, due_at, expires_at,
      created_at)
    values (${newId('message')}, ${message.organizationId}, ${message.channel}, ${message.address},
      ${cut(message.subject, 300)}, ${cut(message.text, 10_000)}, ${message.url}, ${message.dedupKey}, 'waiting', ${at},
      ${message.expiresAt}, ${at})
    on conflict (organization_id, channel, address, dedup_key) where dedup_key is not null do nothing`.execute(
    tx,
  );
}

function cut(text: string, most: number): string {
  const whole = text.toWellFormed().replaceAll('\0', ' ');
  const characters = [...whole];
  return characters.length <= most ? whole : `${characters.slice(0, most - 1).join('')}…`;
}
