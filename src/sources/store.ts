import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { CallingSource } from '../webhooks/call-store.ts';
import type { SourceEvent } from './contract.ts';

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

/** The dedup keys, among these of a source, that have an open or waiting page. */
export async function keysWithPages(
  db: Handle,
  { organizationId, sourceId }: { organizationId: string; sourceId: string },
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select dedup_key as key from pages
    where organization_id = ${organizationId} and dedup_scope = ${sourceId} and dedup_key = any(${[...keys]}::text[])
      and state in ('notifying', 'acknowledged')
    union all
    select dedup_key from waiting_pages
    where source_id = ${sourceId} and dedup_key = any(${[...keys]}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** How many pages of each of these sources wait. */
export async function countWaiting(tx: Tx, sourceIds: ReadonlySet<string>): Promise<Map<string, number>> {
  if (sourceIds.size === 0) return new Map();
  const { rows } = await sql<{ sourceId: string; count: number }>`
    select source_id as "sourceId", count(*)::int as count from waiting_pages
    where source_id = any(${[...sourceIds]}::text[]) group by source_id`.execute(tx);
  return new Map(rows.map(({ sourceId, count }) => [sourceId, count]));
}

/** Stores waiting pages. A later trigger of the same key changes the content of the page, but not its time. */
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
      })),
    )
    .execute();
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
      jsonb_build_object('name', w.name, 'type', w.type, 'settings', s.settings) as source
    from taken t join webhooks w on w.id = t.source_id join page_sources s on s.id = w.id
    order by t.due_at, t.id`.execute(tx);
  return rows.map((row) => ({ ...row, event: readEvent(row.event) }));
}

/** JSON has no instants. */
type StoredEvent = Omit<SourceEvent, 'occurredAt' | 'at'> & { occurredAt: string; at: string };

function readEvent({ occurredAt, at, ...event }: StoredEvent): SourceEvent {
  return { ...event, occurredAt: Temporal.Instant.from(occurredAt), at: Temporal.Instant.from(at) };
}
