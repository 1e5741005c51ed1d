import { sql } from 'kysely';
import type { Database, Handle, Tx } from '../db/database.ts';
import type { Language } from '../language/contract.ts';
import { CHANNELS, type ChannelName } from '../notifications/channels/contract.ts';
import { languageOf } from '../people/store.ts';

/** A message that the caller has leased. */
export type ClaimedMessage = {
  id: string;
  organizationId: string;
  channel: Exclude<ChannelName, 'browser'>;
  address: string;
  subject: string;
  text: string;
  /** A complete URL; null for none, or when the notice has a path. */
  url: string | null;
  /** The kind of its notice; null for messages to an address. */
  kind: string | null;
  path: string | null;
  /** Null for messages to an address. */
  userId: string | null;
  /** The language of the person. For messages to an address that belongs to nobody: that of the organization. */
  language: Language;
  chatUserId: string | null;
  /** The body of an event for a program; null for others. */
  body: EventBody | null;
  pushKeys: { p256dh: string; auth: string } | null;
  signingSecret: Buffer | null;
  /** Including this one. */
  attempts: number;
  createdAt: Temporal.Instant;
};

/** The stored part of an event for a program. */
export type EventBody = { type: string; data: Record<string, unknown>; path: string };

/** The most events for one webhook in one batch, so that a slow program does not delay the others. */
const EVENTS_OF_ONE = 4;

/** Longer than any attempt. After this time, the node with the lease has died. */
const LEASE = { seconds: 60 };

/**
 * Leases due messages to the caller, oldest first: either events for programs, or all others. Also expires messages
 * that are too old or whose person was disabled.
 */
export async function claimMessages(
  db: Database,
  now: (tx: Tx) => Promise<Temporal.Instant>,
  limit: number,
  which: 'events' | 'others',
): Promise<ClaimedMessage[]> {
  return db.transaction().execute(async (tx) => {
    const at = await now(tx);
    await sql`
      update messages set state = 'waiting', lease_until = null
      where id in (select id from messages where state = 'sending' and lease_until <= ${at} for no key update skip locked)`.execute(
      tx,
    );
    await sql`
      update messages set state = 'expired', finished_at = ${at}, text = '', url = null, body = null
      where id in (select id from messages m where state = 'waiting' and due_at <= ${at} and (expires_at <= ${at}
          or exists (select from notices n join users u on u.id = n.user_id
            where n.id = m.notice_id and u.disabled_at is not null)
          or exists (select from contact_methods c join users u on u.id = c.user_id
            where c.id = m.contact_method_id and u.disabled_at is not null))
        for no key update skip locked)`.execute(tx);
    const { rows } = await sql<ClaimedMessage>`
      with claimed as (
        update messages set state = 'sending', attempts = attempts + 1, lease_until = ${at.add(LEASE)}
        where id in (${which === 'events' ? dueEvents(at, limit) : dueMessages(at, limit)})
        returning *
      )
      select m.id, m.organization_id as "organizationId",
        case when m.body is not null then 'webhook' else m.channel end as channel, m.address, m.subject, m.text, m.url,
        m.body, n.kind, n.path, coalesce(n.user_id, case when m.body is not null then c.user_id end) as "userId",
        coalesce((select ${languageOf('u')} from users u where u.id = coalesce(n.user_id, c.user_id)),
          (select ${languageOf('u')} from users u where n.id is null and c.id is null
            and u.organization_id = m.organization_id and u.email = m.address limit 1),
          (select language from organizations where id = m.organization_id)) as language,
        c.chat_user_id as "chatUserId", c.push_keys as "pushKeys", c.signing_secret as "signingSecret", m.attempts, m.created_at as "createdAt"
      from claimed m
      left join notices n on n.id = m.notice_id
      left join contact_methods c on c.id = m.contact_method_id
      order by m.due_at, m.id`.execute(tx);
    return rows;
  });
}

function dueMessages(at: Temporal.Instant, limit: number) {
  return sql`select id from messages
    where state = 'waiting' and due_at <= ${at} and body is null and channel = any(${CHANNELS}::text[])
    order by due_at, id limit ${limit} for no key update skip locked`;
}

function dueEvents(at: Temporal.Instant, limit: number) {
  return sql`select id from messages where state = 'waiting' and id in (
      select id from (
        select id, due_at, row_number() over (partition by contact_method_id order by due_at, id) as place
        from messages where state = 'waiting' and due_at <= ${at} and body is not null) due
      where place <= ${EVENTS_OF_ONE} order by due_at, id limit ${limit})
    order by due_at, id for no key update skip locked`;
}

/** How an attempt ended; `againAt` is the time of the next one. */
export type MessageEnding =
  | { state: 'sent'; providerId: string | null }
  | { state: 'failed'; error: string }
  | { state: 'waiting'; error: string; againAt: Temporal.Instant };

/** Records how an attempt ended, unless its lease was lost. */
export async function endAttempt(
  db: Handle,
  at: Temporal.Instant,
  message: Pick<ClaimedMessage, 'id' | 'attempts'>,
  ending: MessageEnding,
): Promise<void> {
  const finished = ending.state !== 'waiting';
  await db
    .updateTable('messages')
    .set({
      state: ending.state,
      lease_until: null,
      finished_at: finished ? at : null,
      error: ending.state === 'sent' ? null : ending.error,
      ...(ending.state === 'sent' ? { provider_id: ending.providerId } : {}),
      // Remove links and codes, which nobody needs any longer.
      ...(finished ? { text: '', url: null, body: null } : { due_at: ending.againAt }),
    })
    .where('id', '=', message.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', message.attempts)
    .execute();
}

/** Deletes messages that ended more than a month ago and notices older than a year. Returns how many, at most 2 × `limit`. */
export async function forgetOldNotices(db: Handle, at: Temporal.Instant, limit: number): Promise<number> {
  const messages = await sql`
    delete from messages where id in (
      select id from messages where finished_at < ${at.subtract({ hours: 30 * 24 })} limit ${limit})`.execute(
    db,
  );
  const notices = await sql`
    delete from notices where id in (
      select id from notices where created_at < ${at.subtract({ hours: 400 * 24 })} limit ${limit})`.execute(
    db,
  );
  return Number(messages.numAffectedRows ?? 0n) + Number(notices.numAffectedRows ?? 0n);
}
