import { sql } from 'kysely';
import type { Database, Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { inLanguage } from '../language/ambient.ts';
import type { Language } from '../language/contract.ts';
import { CHANNELS, type ChannelName } from '../notifications/channels/contract.ts';
import { languageOf, languageOfReader, languagesById } from '../people/store.ts';
import {
  type AddressedMessage,
  type EventTopic,
  type Notice,
  type ProgramEvent,
  QUIET_METHODS,
} from './contract.ts';

/** How long a notice or an event is worth sending. A notice stays in the inbox. */
const WORTH_SENDING = { hours: 24 };

/**
 * Queues notices in the caller's transaction: for the inbox, and as a message to each verified quiet contact method
 * with notices enabled. Skips disabled people and dedup keys that the person had before. `make` words all of them with
 * `t`. It runs once for each language of the readers, and must make the same notices in the same order each time.
 */
export async function queueNotices(
  tx: Tx,
  at: Temporal.Instant,
  make: () => readonly Notice[],
): Promise<void> {
  const notices = await inLanguagesOfReaders(tx, make);
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

async function inLanguagesOfReaders(tx: Tx, make: () => readonly Notice[]): Promise<readonly Notice[]> {
  const english = inLanguage('en', make);
  const languages = await languagesById(
    tx,
    english.map(({ userId }) => userId),
  );
  const made = new Map<Language, readonly Notice[]>([['en', english]]);
  for (const language of new Set(languages.values()))
    if (!made.has(language)) made.set(language, inLanguage(language, make));
  return english.map((notice, place) => made.get(languages.get(notice.userId) ?? 'en')?.[place] ?? notice);
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
  const language = await languageOfReader(tx, message.organizationId, message.readerId);
  const { subject, text } = inLanguage(language, message.words);
  await sql`
    insert into messages (id, organization_id, channel, address, subject, text, url, dedup_key, state, due_at, expires_at,
      created_at)
    values (${newId('message')}, ${message.organizationId}, ${message.channel}, ${message.address},
      ${cut(subject, 300)}, ${cut(text, 10_000)}, ${message.url}, ${message.dedupKey}, 'waiting', ${at},
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

const MOST_LISTED = 50;

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
    .limit(MOST_LISTED)
    .execute();
}

/** How many of the latest notices are unread; older ones do not count. */
export async function countUnread(db: Handle, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select read_at from notices where user_id = ${userId} order by id desc limit ${MOST_LISTED}
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

/** The highest id of a notice; 0 if there is none. */
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

/** At most this many notices are announced in one round. The rest follow in the next. */
const MOST_CLAIMED_KEYS = 500;

/** Records the keys as announced, and returns those that were not recorded before. */
export async function claimKeys(tx: Tx, at: Temporal.Instant, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    insert into announced (key, announced_at)
    select key, ${at}::timestamptz from (
      select key from unnest(${keys}::text[]) as key
      where not exists (select from announced a where a.key = key.key)
      order by key limit ${MOST_CLAIMED_KEYS}
    ) fresh
    on conflict (key) do nothing returning key`.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

/** Deletes keys of announcements that are too old to occur again. */
export async function forgetAnnounced(db: Handle, at: Temporal.Instant, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from announced where key in (
      select key from announced where announced_at < ${at}::timestamptz - interval '400 days' limit ${limit})
    returning key`.execute(db);
  return rows.length;
}

/** The most events that wait for one webhook. Further ones are dropped, and its program has to read the lists. */
export const MOST_WAITING_EVENTS = 1_000;

/**
 * The channel in their rows. Nodes of older releases ignore rows with unknown channels; otherwise, they would send
 * events as notices.
 */
const EVENTS = 'event';

type Subscriber = { methodId: string; address: string; teamId: string; slug: string; waiting: number };

/** The ids of the organizations in which a webhook gets events of this topic. */
export async function organizationsWithEvents(db: Handle, topic: EventTopic): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from contact_methods
    where events <> '{}' and events @> array[${topic}] and verified_at is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues events in the caller's transaction, for each webhook that gets this topic and whose person is a member of the
 * team. Disabled people get none.
 */
export async function queueEvents(
  tx: Tx,
  at: Temporal.Instant,
  topic: EventTopic,
  events: readonly ProgramEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const subscribers = await subscribersOf(tx, topic, events);
  const waiting = new Map(subscribers.map(({ methodId, waiting: count }) => [methodId, count]));
  const ofTeam = Map.groupBy(subscribers, ({ teamId }) => teamId);
  const rows = events.flatMap(({ organizationId, teamId, type, data, path }) =>
    (ofTeam.get(teamId) ?? []).flatMap(({ methodId, address, slug }) => {
      const count = waiting.get(methodId) ?? 0;
      if (count >= MOST_WAITING_EVENTS) return [];
      waiting.set(methodId, count + 1);
      const body = { type, path, data: { team: slug, ...data } };
      return [
        { id: newId('message'), organization_id: organizationId, method_id: methodId, address, type, body },
      ];
    }),
  );
  if (rows.length === 0) return;
  await sql`
    insert into messages (id, organization_id, contact_method_id, channel, address, subject, text, body, state, due_at,
      expires_at, created_at)
    select r.id, r.organization_id, r.method_id, ${EVENTS}, r.address, r.type, '', r.body, 'waiting', ${at}::timestamptz,
      ${at.add(WORTH_SENDING)}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, organization_id text, method_id text,
      address text, type text, body jsonb)`.execute(tx);
}

async function subscribersOf(
  tx: Tx,
  topic: EventTopic,
  events: readonly ProgramEvent[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select c.id as "methodId", c.value as address, t.id as "teamId", t.slug, (
        select count(*)::int from messages w
        where w.contact_method_id = c.id and w.state = 'waiting' and w.body is not null) as waiting
    from contact_methods c
    join users u on u.id = c.user_id and u.disabled_at is null
    join team_members m on m.user_id = c.user_id and m.organization_id = c.organization_id
    join teams t on t.id = m.team_id
    where c.organization_id = any(${[...new Set(events.map(({ organizationId }) => organizationId))]}::text[])
      and c.events <> '{}' and c.events @> array[${topic}] and c.type = 'webhook' and c.verified_at is not null
      and t.id = any(${[...new Set(events.map(({ teamId }) => teamId))]}::text[])
    order by c.id`.execute(tx);
  return rows;
}

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
