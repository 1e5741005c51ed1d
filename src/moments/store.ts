import { type RawBuilder, sql } from 'kysely';
import { LOCK } from '../db/advisory-locks.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { findRare } from '../db/rare.ts';
import { together } from '../db/together.ts';
import { utcText } from '../db/utc-text.ts';
import { instantText } from '../kit/instant.ts';
import { personJson } from '../people/store.ts';
import type { MomentDetail, MomentSummary } from './api-contract.ts';
import type { MomentState, StatusMoment } from './contract.ts';
import type { EndedMoment } from './follow-up.ts';
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

/** A moment of the organization as programs get it; null if there is none. */
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

type Viewer = { organizationId: string; userId: string };
export type ListedMoment = Omit<MomentSummary, 'may_act' | 'may_silence'> & {
  ofTheTeam: boolean;
  /** A page source recorded it. */
  ofSource: boolean;
};

function listedAs(
  viewer: Viewer,
  more: RawBuilder<unknown>,
  moments: RawBuilder<unknown> = sql`moments`,
): RawBuilder<unknown> {
  return sql`
    select m.id, m.name, m.type, m.priority, m.state, m.source, m.source_url,
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      case when w.id is null then null else jsonb_build_object('id', w.id, 'name', w.name, 'type', w.type) end as webhook,
      ${utcText('m.occurred_at')} as occurred_at, ${utcText('m.created_at')} as created_at, ${utcText('m.updated_at')} as updated_at,
      ${utcText('m.acknowledged_at')} as acknowledged_at, ${personJson('a')} as acknowledged_by,
      m.acknowledged_as, m.acknowledged_comment,
      ${utcText('m.resolved_at')} as resolved_at, ${personJson('r')} as resolved_by,
      exists (select from team_members tm where tm.team_id = m.team_id and tm.user_id = ${viewer.userId}) as "ofTheTeam",
      coalesce(w.pages, false) as "ofSource"
      ${more}
    from ${moments} m
    join teams t on t.id = m.team_id
    left join webhooks w on w.id = m.webhook_id
    left join users a on a.id = m.acknowledged_by
    left join users r on r.id = m.resolved_by
    where m.organization_id = ${viewer.organizationId}`;
}

export type MomentFilter = {
  /** For `to_tsquery`. */
  words: string | null;
  /** A `tsquery`. */
  facets: string | null;
  states: readonly MomentState[] | null;
  teamId: string | null;
  webhookId: string | null;
  /** Who acknowledged or resolved them. */
  personId: string | null;
  from: Temporal.Instant | null;
  to: Temporal.Instant | null;
  /** All matches of `words` and `facets`, if there are few. These two are then ignored. */
  among: readonly string[] | null;
  limit: number;
  /** Id of a moment; null to start with the newest. */
  before: string | null;
};

/**
 * Newest first. Moments between two times are ordered by the time at which they occurred, for which there is an index, and others
 * in the order in which they were recorded. `among` comes from `findRareMoments`. So the cost does not grow with the number of
 * moments. @param newest reads at most this many of the moments that match the other conditions
 */
export async function listMoments(
  db: Handle,
  viewer: Viewer,
  filter: MomentFilter,
  newest: number | null = null,
): Promise<ListedMoment[]> {
  const organization = sql`m.organization_id = ${viewer.organizationId}`;
  const some =
    newest === null
      ? answeredBy(filter, sql`${organization} ${found(filter)} ${placed(filter, viewer)}`)
      : sql`(select * from moments m where ${organization} ${placed(filter, viewer)} order by ${orderOf(filter)} limit ${newest})`;
  const { rows } = await sql<ListedMoment>`
    ${listedAs(viewer, sql``, some)} ${found(filter)}
      ${newest === null ? placed(filter, viewer) : sql``}
    order by ${orderOf(filter)} limit ${filter.limit}`.execute(db);
  return rows;
}

function isByTime({ from, to }: MomentFilter): boolean {
  return from !== null || to !== null;
}

function orderOf(filter: MomentFilter): RawBuilder<unknown> {
  return isByTime(filter) ? sql`m.occurred_at desc, m.id desc` : sql`m.id desc`;
}

/** The moments of a person, from one index for those acknowledged and one for those resolved; all moments without a person. */
function answeredBy(filter: MomentFilter, conditions: RawBuilder<unknown>): RawBuilder<unknown> {
  const { personId, limit } = filter;
  if (personId === null) return sql`moments`;
  const first = (isTheirs: RawBuilder<unknown>) =>
    sql`(select * from moments m where ${isTheirs} and ${conditions} order by ${orderOf(filter)} limit ${limit})`;
  return sql`(
      ${first(sql`m.acknowledged_by = ${personId}`)}
      union all
      ${first(sql`m.resolved_by = ${personId} and m.acknowledged_by is distinct from ${personId}`)})`;
}

/** The conditions that the index of words and facets serves, or the moments that it found. */
function found({ among, words, facets }: MomentFilter): RawBuilder<unknown> {
  if (among !== null) return sql`and m.id = any(${among}::text[])`;
  return sql`
      ${when(words, sql`and m.search @@ to_tsquery('simple', ${words})`)}
      ${when(facets, sql`and m.search @@ ${facets}::tsquery`)}`;
}

/** The conditions that ordered indexes can serve. States are literals, because some have an index of their own. */
function placed(filter: MomentFilter, viewer: Viewer): RawBuilder<unknown> {
  const { states, teamId, webhookId, from, to } = filter;
  const unresolved = states !== null && !states.includes('resolved');
  return sql`
      ${unresolved ? sql`and m.state <> 'resolved'` : sql``}
      ${states === null ? sql`` : sql`and m.state in (${sql.join(states.map((state) => sql.lit(state)))})`}
      ${when(teamId, sql`and m.team_id = ${teamId}`)}
      ${when(webhookId, sql`and m.webhook_id = ${webhookId}`)}
      ${when(from, sql`and m.occurred_at >= ${from}`)}
      ${when(to, sql`and m.occurred_at < ${to}`)}
      ${isAfter(filter, viewer)}`;
}

/** The moments that come after `before` in the list. */
function isAfter(filter: MomentFilter, { organizationId }: Viewer): RawBuilder<unknown> {
  const { before } = filter;
  if (before === null) return sql``;
  if (!isByTime(filter)) return sql`and m.id < ${before}`;
  const last = sql`(select b.occurred_at from moments b where b.organization_id = ${organizationId} and b.id = ${before})`;
  return sql`and m.occurred_at <= ${last} and (m.occurred_at < ${last} or m.id < ${before})`;
}

function when(value: unknown, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return value === null ? sql`` : condition;
}

export type WholeMoment = ListedMoment & { description: string | null };

/** A moment of the organization as the viewer sees it; null if there is none. */
export async function findMoment(db: Handle, viewer: Viewer, id: string): Promise<WholeMoment | null> {
  const { rows } = await sql<WholeMoment>`
    ${listedAs(viewer, sql`, m.description`)} and m.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Everything about one moment. */
export async function findMomentHistory(
  db: Handle,
  organizationId: string,
  momentId: string,
): Promise<Omit<MomentDetail, 'moment'>> {
  const { rows } = await sql<Omit<MomentDetail, 'moment'>>`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('id', n.id, 'state', n.state, 'integration', n.integration,
          'received_at', ${utcText('n.received_at')}, 'request_id', n.request_id) order by n.id desc)
        from (
          select n.* from notification_moments l join received_notifications n on n.id = l.notification_id
          where l.moment_id = m.id order by n.id desc limit 100
        ) n), '[]') as notifications,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'at', ${utcText('c.created_at')}, 'by', ${personJson('u')}, 'text', c.text)
          order by c.id)
        from moment_comments c left join users u on u.id = c.user_id where c.moment_id = m.id), '[]') as comments,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', o.id, 'at', ${utcText('o.reopened_at')}, 'by', ${personJson('u')},
          'resolved_at', ${utcText('o.resolved_at')}, 'resolved_by', ${personJson('r')}) order by o.id)
        from moment_reopenings o left join users u on u.id = o.reopened_by left join users r on r.id = o.resolved_by
        where o.moment_id = m.id), '[]') as reopenings,
      (
        select jsonb_build_object('id', n.id, 'name', n.name, 'state', n.state, 'created_at', ${utcText('n.created_at')})
        from moments n where m.dedup_key is not null and n.webhook_id = m.webhook_id and n.dedup_key = m.dedup_key
          and n.id > m.id order by n.id desc limit 1
      ) as newer,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'title', p.title, 'state', p.state, 'urgency', p.urgency,
          'created_at', ${utcText('p.created_at')}, 'linked_at', ${utcText('l.linked_at')}, 'linked_by', ${personJson('u')}) order by p.id desc)
        from moment_pages l join pages p on p.id = l.page_id left join users u on u.id = l.linked_by
        where l.moment_id = m.id), '[]') as pages
    from moments m where m.organization_id = ${organizationId} and m.id = ${momentId}`.execute(db);
  return rows[0] ?? { notifications: [], comments: [], reopenings: [], newer: null, pages: [] };
}
