import { type RawBuilder, sql } from 'kysely';
import { LOCK } from '../db/advisory-locks.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { findRare } from '../db/rare.ts';
import { together } from '../db/together.ts';
import { instantText } from '../kit/instant.ts';
import type { StatusMoment } from './contract.ts';
import type { Moment } from './moment.ts';
import { type EndOfNone, followUpKey, type RecordingResult } from './recording.ts';
import { searchVector } from './search.ts';

/** With more keys, a transaction locks the webhooks as a whole, because a database has room for some thousand locks. */
const MOST_KEY_LOCKS = 200;

export type FollowUpName = { webhookId: string; dedupKey: string };

/**
 * Makes other transactions that record events of these keys wait until this one ends, because nothing else may decide
 * about the same keys between reading the known moments and writing new ones. Events of other keys of the same webhook
 * are recorded meanwhile. Locks are always taken in the same order.
 */
export async function lockFollowUps(tx: Tx, names: readonly FollowUpName[]): Promise<void> {
  if (names.length === 0) return;
  const webhookIds = names.map(({ webhookId }) => webhookId);
  const keys = new Set(names.map(({ webhookId, dedupKey }) => followUpKey(webhookId, dedupKey)));
  if (keys.size > MOST_KEY_LOCKS) return lockWebhooks(tx, webhookIds);
  await together(tx, [
    (side) =>
      sql`select pg_advisory_xact_lock_shared(${LOCK.webhook}, lock.name) from ${hashes(webhookIds)}`.execute(
        side,
      ),
    (side) =>
      sql`select pg_advisory_xact_lock(${LOCK.momentKey}, lock.name) from ${hashes([...keys])}`.execute(side),
  ]);
}

/** Makes all other transactions that record events of these webhooks wait, whatever their keys are. */
export async function lockWebhooks(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK.webhook}, lock.name) from ${hashes(webhookIds)}`.execute(tx);
}

function hashes(names: readonly string[]): RawBuilder<unknown> {
  return sql`(select distinct hashtext(id) as name from unnest(${names}::text[]) as given(id) order by name offset 0) as lock`;
}

/**
 * The known moment of each key, by `followUpKey`: the open one, or the newest if none is open. The rows stay locked. The
 * cost does not grow with the number of moments that a key has had.
 */
export async function knownMoments(tx: Tx, names: readonly FollowUpName[]): Promise<Map<string, Moment>> {
  const webhookIds = names.map((name) => name.webhookId);
  const dedupKeys = names.map((name) => name.dedupKey);
  const { rows: found } = await sql<{ id: string }>`
    select newest.id
    from unnest(${webhookIds}::text[], ${dedupKeys}::text[]) as name(webhook_id, dedup_key)
    cross join lateral (
      (select id, 0 as rank from moments
        where webhook_id = name.webhook_id and dedup_key = name.dedup_key and state <> 'resolved' limit 1)
      union all
      (select id, 1 from moments
        where webhook_id = name.webhook_id and dedup_key = name.dedup_key order by id desc limit 1)
      order by rank limit 1
    ) as newest`.execute(tx);
  const { rows } = await sql<Moment & { dedupKey: string }>`
    select id, organization_id as "organizationId", team_id as "teamId", webhook_id as "webhookId",
      dedup_key as "dedupKey", name, type, description, priority, source, source_url as "sourceUrl",
      occurred_at as "occurredAt", state, last_event_at as "lastEventAt", acknowledged_at as "acknowledgedAt",
      acknowledged_by as "acknowledgedBy", acknowledged_as as "acknowledgedAs",
      acknowledged_comment as "acknowledgedComment", resolved_at as "resolvedAt", parts
    from moments where id = any(${found.map((row) => row.id)}) order by id for no key update`.execute(tx);
  return new Map(rows.map((moment) => [followUpKey(moment.webhookId, moment.dedupKey), moment]));
}

export async function insertMoments(tx: Tx, at: Temporal.Instant, moments: readonly Moment[]): Promise<void> {
  if (moments.length === 0) return;
  await sql`
    insert into moments (id, organization_id, team_id, webhook_id, name, type, description, priority, source,
      source_url, occurred_at, state, dedup_key, last_event_at, acknowledged_at, acknowledged_as,
      acknowledged_comment, resolved_at, parts, search, created_at, updated_at)
    select id, "organizationId", "teamId", "webhookId", name, type, description, priority, source,
      "sourceUrl", "occurredAt", state, "dedupKey", "lastEventAt", "acknowledgedAt", "acknowledgedAs",
      "acknowledgedComment", "resolvedAt", parts, search, ${at}, ${at}
    from ${momentRows(moments)}`.execute(tx);
}

export async function updateMoments(tx: Tx, at: Temporal.Instant, moments: readonly Moment[]): Promise<void> {
  if (moments.length === 0) return;
  await sql`
    update moments set name = m.name, description = m.description, priority = m.priority, source = m.source,
      source_url = m."sourceUrl", state = m.state, last_event_at = m."lastEventAt",
      acknowledged_at = m."acknowledgedAt", acknowledged_as = m."acknowledgedAs",
      acknowledged_comment = m."acknowledgedComment", resolved_at = m."resolvedAt", parts = m.parts, search = m.search,
      updated_at = ${at}
    from ${momentRows(moments)}
    where moments.id = m.id and moments.organization_id = m."organizationId"`.execute(tx);
}

function momentRows(moments: readonly Moment[]) {
  const rows = moments.map((moment) => ({ ...moment, search: searchVector(moment) }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(
    id text, "organizationId" text, "teamId" text, "webhookId" text, "dedupKey" text, name text, type text,
    description text, priority text, source text, "sourceUrl" text, "occurredAt" timestamptz, state text,
    "lastEventAt" timestamptz, "acknowledgedAt" timestamptz, "acknowledgedAs" text, "acknowledgedComment" text,
    "resolvedAt" timestamptz, parts jsonb, search tsvector)`;
}

/** Links calls with their moments. */
export async function linkMoments(tx: Tx, results: readonly RecordingResult[]): Promise<void> {
  const links = results.flatMap(({ callId, organizationId, momentIds }) =>
    momentIds.map((momentId, position) => ({ callId, organizationId, momentId, position })),
  );
  if (links.length === 0) return;
  await sql`
    insert into notification_moments (notification_id, moment_id, organization_id, position)
    select "callId", "momentId", "organizationId", position
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as link("callId" text, "momentId" text, "organizationId" text, position integer)
    on conflict do nothing`.execute(tx);
}

/** The moments of a request, in the order of its events, as its status shows them. */
export async function momentsOfRequest(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<StatusMoment[]> {
  const rows = await db
    .selectFrom('received_notifications as n')
    .innerJoin('notification_moments as link', 'link.notification_id', 'n.id')
    .innerJoin('moments as m', 'm.id', 'link.moment_id')
    .select([
      'm.id',
      'm.name',
      'm.type',
      'm.source',
      'm.source_url',
      'm.occurred_at',
      'm.priority',
      'm.state',
    ])
    .where('n.request_id', '=', requestId)
    .where('n.organization_id', '=', organizationId)
    .orderBy('n.id')
    .orderBy('link.position')
    .execute();
  return rows.map((row) => ({ ...row, occurred_at: instantText(row.occurred_at) }));
}

export type KnownEnd = FollowUpName & EndOfNone;

/** How long senders repeat undelivered calls. */
const MEMORY = sql.lit('48 hours');

/** The stored ends of these keys, by `followUpKey`. */
export async function knownEnds(tx: Tx, names: readonly FollowUpName[]): Promise<Map<string, EndOfNone>> {
  const { rows } = await sql<KnownEnd>`
    select e.webhook_id as "webhookId", e.dedup_key as "dedupKey", e.ended_at as "endedAt", e.parts
    from (select distinct webhook_id, dedup_key from unnest(
      ${names.map(({ webhookId }) => webhookId)}::text[], ${names.map(({ dedupKey }) => dedupKey)}::text[]
    ) as given(webhook_id, dedup_key)) name
    join moment_ends e on e.webhook_id = name.webhook_id and e.dedup_key = name.dedup_key`.execute(tx);
  return new Map(rows.map((end) => [followUpKey(end.webhookId, end.dedupKey), end]));
}

/** Stores ends; only the newest for each key. */
export async function rememberEnds(tx: Tx, at: Temporal.Instant, ends: readonly KnownEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await sql`
    insert into moment_ends as known (webhook_id, dedup_key, ended_at, noted_at, parts)
    select "webhookId", "dedupKey", "endedAt", ${at}, parts
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb)
      as given("webhookId" text, "dedupKey" text, "endedAt" timestamptz, parts jsonb)
    order by "webhookId", "dedupKey"
    on conflict (webhook_id, dedup_key) do update
      set ended_at = greatest(known.ended_at, excluded.ended_at), noted_at = excluded.noted_at,
        parts = excluded.parts`.execute(tx);
}

/** Removes ends that no late call can refer to, at most `limit`; returns how many. */
export async function forgetEnds(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ webhook_id: string }>`
    delete from moment_ends where (webhook_id, dedup_key) in (
      select webhook_id, dedup_key from moment_ends
      where noted_at <= ${clock.sql} - ${MEMORY}::interval
      order by noted_at limit ${limit} for update skip locked)
    returning webhook_id`.execute(db);
  return rows.length;
}

/**
 * The ids of all moments, of any organization, that match a search, if there are few; null if there are many.
 *
 * `words` is for `to_tsquery`, `facets` a `tsquery`; at least one is given.
 */
export function findRareMoments(
  db: Database,
  words: string | null,
  facets: string | null,
): Promise<string[] | null> {
  const asked =
    words === null
      ? sql`${facets}::tsquery`
      : facets === null
        ? sql`to_tsquery('simple', ${words})`
        : sql`to_tsquery('simple', ${words}) && ${facets}::tsquery`;
  return findRare(db, sql`select id from moments where search @@ (${asked})`);
}
