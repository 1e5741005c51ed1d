import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { nodeIsRunning } from '../db/servers.ts';
import { utcText } from '../db/utc-text.ts';
import { CALLING_SOURCE, type CallingSource, type ClaimedCall } from '../webhooks/call-store.ts';
import type { SourceEvent, SourceSettings } from './contract.ts';

/** A page and the values by which its moment is found: an id, or the dedup key of the source. */
export type PageOfMoment = { organizationId: string; pageId: string } & (
  | { momentId: string }
  | { sourceId: string; dedupKey: string }
);

/** Links pages with the moments that the same events recorded. */
export async function linkWithMoments(
  tx: Tx,
  at: Temporal.Instant,
  links: readonly PageOfMoment[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into moment_pages (organization_id, moment_id, page_id, linked_at)
    select distinct link."organizationId", moment.id, link."pageId", ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(
      "organizationId" text, "pageId" text, "momentId" text, "sourceId" text, "dedupKey" text)
    cross join lateral (
      select coalesce(link."momentId", (
        select id from moments where webhook_id = link."sourceId" and dedup_key = link."dedupKey" order by id desc limit 1
      )) as id
    ) moment
    where moment.id is not null
    on conflict do nothing`.execute(tx);
}

/** The recipient of a rule: a team by its slug, a person by an email address. */
export type NamedRecipient = { organizationId: string; team: string | null; person: string | null };

/** The existing recipients, by `recipientName`, without disabled people. */
export async function findRecipients(
  db: Handle,
  named: readonly NamedRecipient[],
): Promise<Map<string, { teamId: string } | { userId: string }>> {
  if (named.length === 0) return new Map();
  const { rows } = await sql<NamedRecipient & { teamId: string | null; userId: string | null }>`
    select named."organizationId", named.team, named.person, t.id as "teamId", u.id as "userId"
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named("organizationId" text, team text, person text)
    left join teams t on t.organization_id = named."organizationId" and t.slug = lower(named.team)
    left join users u on u.organization_id = named."organizationId" and lower(u.email) = lower(named.person)
      and u.disabled_at is null`.execute(db);
  return new Map(
    rows.flatMap(({ teamId, userId, ...name }) => {
      const found = userId ? { userId } : teamId ? { teamId } : null;
      return found ? [[recipientName(name), found] as const] : [];
    }),
  );
}

/** The only team of this name, in any case; undefined if there is none, or several. */
export async function findTeamByName(
  db: Handle,
  organizationId: string,
  name: string,
): Promise<{ teamId: string } | undefined> {
  const { rows } = await sql<{ teamId: string }>`
    select id as "teamId" from teams where organization_id = ${organizationId} and lower(name) = lower(${name})
    limit 2`.execute(db);
  return rows.length === 1 ? rows[0] : undefined;
}

/** The name of a recipient in maps. */
export function recipientName({ organizationId, team, person }: NamedRecipient): string {
  return JSON.stringify([organizationId, team, person]);
}

/** A trigger that pages later. */
export type WaitingPage = {
  organizationId: string;
  sourceId: string;
  dedupKey: string | null;
  /** Null for heartbeats, and if the request was deleted meanwhile. */
  requestId: string | null;
  /** The position of the event in its call. */
  position: number;
  event: SourceEvent;
  /** `rule`, `hours` or the id of a window. */
  reason: string;
  dueAt: Temporal.Instant;
  /** When the newest trigger of its key was received. Null: an older release stored it. */
  triggeredAt: Temporal.Instant | null;
  /** People may already have been notified of it. */
  mayRepeat: boolean;
};

/** Identifies a waiting page. Pages without a dedup key cannot be found by it. */
export type WaitingKey = Pick<WaitingPage, 'sourceId' | 'dedupKey'>;

/** The name of a key in maps. Every trigger without a dedup key has a name of its own. */
export function waitingName({ sourceId, dedupKey }: WaitingKey): string | symbol {
  return dedupKey === null ? Symbol('no key') : JSON.stringify([sourceId, dedupKey]);
}

/** The waiting pages of these keys. */
export async function findWaiting(
  tx: Tx,
  keys: readonly WaitingKey[],
): Promise<(WaitingKey & Pick<WaitingPage, 'triggeredAt'>)[]> {
  const known = keys.filter(({ dedupKey }) => dedupKey !== null);
  if (known.length === 0) return [];
  const { rows } = await sql<WaitingKey & Pick<WaitingPage, 'triggeredAt'>>`
    select source_id as "sourceId", dedup_key as "dedupKey", triggered_at as "triggeredAt" from waiting_pages
    where (source_id, dedup_key) in (
      select "sourceId", "dedupKey" from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as key("sourceId" text, "dedupKey" text))`.execute(
    tx,
  );
  return rows;
}

/**
 * Those of these names that have an open or waiting page of a source, with its dedup key. A name is a dedup key, or the id of
 * a page.
 */
export async function keysWithPages(
  db: Handle,
  { organizationId, sourceId }: { organizationId: string; sourceId: string },
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; key: string }>`
    select dedup_key as name, dedup_key as key from pages
    where organization_id = ${organizationId} and dedup_scope = ${sourceId} and dedup_key = any(${[...names]}::text[])
      and state in ('notifying', 'acknowledged')
    union all
    select id, dedup_key from pages
    where organization_id = ${organizationId} and dedup_scope = ${sourceId} and id = any(${[...names]}::text[])
      and state in ('notifying', 'acknowledged')
    union all
    select dedup_key, dedup_key from waiting_pages
    where source_id = ${sourceId} and dedup_key = any(${[...names]}::text[])`.execute(db);
  return new Map(rows.map(({ name, key }) => [name, key]));
}

/** How many pages of each of these sources wait. */
export async function countWaiting(tx: Tx, sourceIds: ReadonlySet<string>): Promise<Map<string, number>> {
  if (sourceIds.size === 0) return new Map();
  const { rows } = await sql<{ sourceId: string; count: number }>`
    select source_id as "sourceId", count(*)::int as count from waiting_pages
    where source_id = any(${[...sourceIds]}::text[]) group by source_id`.execute(tx);
  return new Map(rows.map(({ sourceId, count }) => [sourceId, count]));
}

/**
 * When a waiting page pages after a later trigger of its key, and why it waits until then: the trigger may bring it forward,
 * for example if a window does not hold its new severity, but never postpones it.
 */
export const EARLIER = {
  reason: sql<string>`case when excluded.due_at < waiting_pages.due_at then excluded.reason else waiting_pages.reason end`,
  due_at: sql<Temporal.Instant>`least(waiting_pages.due_at, excluded.due_at)`,
};

/** Stores waiting pages. A later trigger of the same key changes the content of the page, and may bring it forward. */
export async function insertWaiting(
  tx: Tx,
  at: Temporal.Instant,
  waiting: readonly WaitingPage[],
): Promise<void> {
  if (waiting.length === 0) return;
  await tx
    .insertInto('waiting_pages')
    .values(
      waiting.map((one) => ({
        organization_id: one.organizationId,
        source_id: one.sourceId,
        dedup_key: one.dedupKey,
        request_id: one.requestId,
        position: one.position,
        event: JSON.stringify(one.event),
        reason: one.reason,
        due_at: one.dueAt,
        created_at: at,
        triggered_at: one.triggeredAt,
        may_repeat: one.mayRepeat,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'dedup_key']).doUpdateSet((eb) => ({
        event: eb.ref('excluded.event'),
        triggered_at: eb.ref('excluded.triggered_at'),
        ...EARLIER,
      })),
    )
    .execute();
}

/** A waiting page with its source; null if none of this key waits. */
export async function findWaitingPage(
  db: Handle,
  { organizationId, sourceId, dedupKey }: { organizationId: string; sourceId: string; dedupKey: string },
): Promise<{ event: SourceEvent; createdAt: string; source: CallingSource } | null> {
  const { rows } = await sql<{ event: StoredEvent; createdAt: string; source: CallingSource }>`
    select p.event, ${utcText('p.created_at')} as "createdAt", ${CALLING_SOURCE} as source
    from waiting_pages p join webhooks w on w.id = p.source_id join page_sources s on s.id = w.id
    where p.organization_id = ${organizationId} and p.source_id = ${sourceId} and p.dedup_key = ${dedupKey}`.execute(
    db,
  );
  const [row] = rows;
  return row ? { ...row, event: readEvent(row.event) } : null;
}

/** Changes the event of a waiting page. False if none of this key waits. */
export async function changeWaiting(
  tx: Tx,
  { sourceId, dedupKey }: WaitingKey,
  changes: Partial<SourceEvent>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update waiting_pages set event = event || ${JSON.stringify(changes)}::jsonb
    where source_id = ${sourceId} and dedup_key = ${dedupKey}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteWaiting(tx: Tx, keys: readonly WaitingKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from waiting_pages where (source_id, dedup_key) in (
      select "sourceId", "dedupKey" from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as key("sourceId" text, "dedupKey" text))`.execute(
    tx,
  );
}

/** A waiting page and its key. */
export type KeyOfWaiting = WaitingKey & { id: number; organizationId: string };

/** Postpones a waiting page that could not be raised, so that it does not hold up the others. */
export async function postponeWaiting(db: Handle, clock: Clock, id: number, afterMs: number): Promise<void> {
  await sql`
    update waiting_pages set due_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${id}`.execute(db);
}

/** Lets the pages of a source that wait for its hours be decided again, because the hours have changed. */
export async function decideHeldByHours(tx: Tx, at: Temporal.Instant, sourceId: string): Promise<void> {
  await tx
    .updateTable('waiting_pages')
    .set({ due_at: at })
    .where('source_id', '=', sourceId)
    .where('reason', '=', 'hours')
    .execute();
}

/** The keys of waiting pages that are due, the oldest first. Takes no locks. */
export async function dueWaiting(db: Handle, clock: Clock, limit: number): Promise<KeyOfWaiting[]> {
  const { rows } = await sql<KeyOfWaiting>`
    select id, organization_id as "organizationId", source_id as "sourceId", dedup_key as "dedupKey" from waiting_pages
    where due_at <= ${clock.sql} order by due_at, id limit ${limit}`.execute(db);
  return rows;
}

export type TakenPage = Omit<WaitingPage, 'dueAt' | 'triggeredAt'> & {
  receivedAt: Temporal.Instant;
  teamId: string;
  source: CallingSource;
};

/**
 * Removes waiting pages that are still due from the table and returns them. A lifeboat that was not seen for the
 * shortest LIFEBOAT_AFTER_SECONDS may have paged the ones that it had taken.
 */
export async function takeWaiting(
  tx: Tx,
  at: Temporal.Instant,
  ids: readonly number[],
): Promise<TakenPage[]> {
  const { rows } = await sql<Omit<TakenPage, 'event'> & { event: StoredEvent }>`
    with taken as (
      delete from waiting_pages where id = any(${[...ids]}::bigint[]) and due_at <= ${at} returning *
    )
    select t.organization_id as "organizationId", t.source_id as "sourceId", t.dedup_key as "dedupKey",
      t.request_id as "requestId", t.position, t.event, t.reason,
      coalesce(t.triggered_at, t.created_at) as "receivedAt", t.may_repeat or exists (
        select from lifeboats b where b.id = t.lifeboat and (b.state <> 'ashore' or b.seen_at < now() - interval '2 seconds')
      ) as "mayRepeat", w.team_id as "teamId",
      ${CALLING_SOURCE} as source
    from taken t join webhooks w on w.id = t.source_id join page_sources s on s.id = w.id
    order by t.due_at, t.id`.execute(tx);
  return rows.map((row) => ({ ...row, event: readEvent(row.event) }));
}

/** JSON has no instants. */
type StoredEvent = Omit<SourceEvent, 'occurredAt' | 'at'> & { occurredAt: string; at: string };

function readEvent({ occurredAt, at, ...event }: StoredEvent): SourceEvent {
  return { ...event, occurredAt: Temporal.Instant.from(occurredAt), at: Temporal.Instant.from(at) };
}

/** The additional columns of sources, besides the row that they share with webhooks. */
export type SourceRow = {
  id: string;
  settings: SourceSettings;
  /** The last characters of the key; null for types without one. */
  keyLast4: string | null;
  intervalMinutes: number | null;
  /** The last call of a heartbeat; null: none yet. */
  lastCallAt: Temporal.Instant | null;
  /** Since when a heartbeat is late; null: it is not. */
  lateSince: Temporal.Instant | null;
  /** When the next call of a heartbeat is due; null before the first call. */
  dueAt: Temporal.Instant | null;
};

/** The additional columns of these sources by id. */
export async function listSourceRows(db: Handle, ids: readonly string[]): Promise<Map<string, SourceRow>> {
  const { rows } = await sql<SourceRow>`
    select id, settings, key_last4 as "keyLast4", interval_minutes as "intervalMinutes", last_beat_at as "lastCallAt",
      late_since as "lateSince",
      case when last_beat_at is not null
        then greatest(last_beat_at, (select since from accepting)) + interval_minutes * interval '1 minute' end as "dueAt"
    from page_sources where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type Key = { hash: Buffer; last4: string };

/** Returns false if a source has the same key. */
export async function insertSource(
  tx: Tx,
  source: Pick<SourceRow, 'id' | 'settings' | 'intervalMinutes'> & {
    organizationId: string;
    key: Key | null;
  },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('page_sources')
    .values({
      id: source.id,
      organization_id: source.organizationId,
      key_hash: source.key?.hash ?? null,
      key_last4: source.key?.last4 ?? null,
      settings: JSON.stringify(source.settings),
      interval_minutes: source.intervalMinutes,
    })
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes the values that are given. */
export async function updateSource(
  tx: Tx,
  organizationId: string,
  id: string,
  { settings, intervalMinutes }: { settings?: SourceSettings; intervalMinutes?: number },
): Promise<void> {
  if (settings === undefined && intervalMinutes === undefined) return;
  await tx
    .updateTable('page_sources')
    .set({
      ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      ...(intervalMinutes === undefined ? {} : { interval_minutes: intervalMinutes }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

const UNIQUE_VIOLATION = '23505';

/**
 * Gives a source a new key. The former one works until `oldUntil`; null ends it at once. Returns false if another
 * source has the new key; the transaction has then failed.
 */
export async function replaceKey(
  tx: Tx,
  at: Temporal.Instant,
  source: { organizationId: string; id: string; key: Key },
  oldUntil: Temporal.Instant | null,
): Promise<boolean> {
  const { organizationId, id, key } = source;
  await keepFormerKey(tx, at, { organizationId, id }, { endsAt: oldUntil ?? at, next: key.hash });
  try {
    await tx
      .updateTable('page_sources')
      .set({ key_hash: key.hash, key_last4: key.last4 })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Keeps the current key of a source as a former one, so that calls with it are still noticed after `endsAt`. */
async function keepFormerKey(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, id }: { organizationId: string; id: string },
  { endsAt, next }: { endsAt: Temporal.Instant; next: Buffer | null },
): Promise<void> {
  // A key that was registered, replaced and registered again may have a row from the first time.
  await sql`
    insert into webhook_former_tokens as former (token_hash, organization_id, webhook_id, ends_at, last_used_at, created_at)
    select key_hash, organization_id, id, ${endsAt}, null, ${at} from page_sources
    where organization_id = ${organizationId} and id = ${id} and key_hash is not null
      and key_hash is distinct from ${next}::bytea
    on conflict (token_hash) do update set organization_id = excluded.organization_id, webhook_id = excluded.webhook_id,
      ends_at = excluded.ends_at, last_used_at = null, created_at = excluded.created_at`.execute(tx);
}

/** Allows the key of a revoked source to be registered with another one. */
export async function clearKey(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
): Promise<void> {
  await keepFormerKey(tx, at, { organizationId, id }, { endsAt: at, next: null });
  await tx
    .updateTable('page_sources')
    .set({ key_hash: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Running nodes of a release that records the calls of sources without paging anybody. */
export async function nodesWithoutSources(db: Handle): Promise<{ host: string; version: string }[]> {
  const { rows } = await sql<{ host: string; version: string }>`
    select n.host, n.version from nodes n
    where not n.pages_for_sources and n.stopped_at is null and ${nodeIsRunning('n.id')}
    order by n.id`.execute(db);
  return rows;
}

/** The fields of a source that the processing of its calls uses. */
export type TriedSource = Pick<ClaimedCall, 'organizationId' | 'teamId' | 'webhookId' | 'settings'> & {
  source: CallingSource;
};

/** Null when there is no such source, or it was revoked. */
export async function findTriedSource(db: Handle, id: string): Promise<TriedSource | null> {
  const { rows } = await sql<TriedSource>`
    select w.organization_id as "organizationId", w.team_id as "teamId", w.id as "webhookId", w.settings,
      ${CALLING_SOURCE} as source
    from webhooks w join page_sources s on s.id = w.id
    where w.id = ${id} and w.pages and w.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** A dry run must not wait long for real calls of the same dedup key, or make them wait. */
export async function limitTime(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', '2s', true), set_config('statement_timeout', '5s', true)`.execute(
    tx,
  );
}

/** Writes a call and its request as if it had been accepted and claimed. */
export async function insertTried(tx: Tx, at: Temporal.Instant, call: ClaimedCall): Promise<void> {
  await sql`
    with request as (
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      values (${call.requestId}, ${call.organizationId}, 'source', 'processing', '', ${call.webhookId}, ${at}, ${at})
      returning id
    )
    insert into received_notifications (id, organization_id, webhook_id, request_id, integration, headers, body,
      state, attempts, due_at, received_at, pages)
    select ${call.id}, ${call.organizationId}, ${call.webhookId}, request.id, ${call.integration},
      ${JSON.stringify(call.headers)}::jsonb, ${call.body}, 'queued', ${call.attempts}, ${at}, ${at}, true
    from request`.execute(tx);
}

/** The encrypted pepper of the installation; null when it has none yet. */
export async function readPepper(db: Handle): Promise<Buffer | null> {
  const row = await db.selectFrom('installation').select('source_pepper').executeTakeFirst();
  return row?.source_pepper ?? null;
}

/** Stores a pepper if there is none, and returns the one that is stored. */
export async function claimPepper(db: Handle, sealed: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ source_pepper: Buffer }>`
    update installation set source_pepper = coalesce(source_pepper, ${sealed}) returning source_pepper`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('the installation has no row');
  return row.source_pepper;
}

/** Whether the key of a source has this hash. */
export async function hasKey(db: Handle, sourceId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('page_sources')
    .select('id')
    .where('id', '=', sourceId)
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}
