import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { PageFacts } from '../pages/keyed.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { HeldShown, WindowEffect } from './windows-api-contract.ts';

/** A window that may hold something now; its occurrence may have ended. */
export type RunningWindow = {
  id: string;
  organizationId: string;
  teamId: string;
  sourceId: string | null;
  name: string;
  effect: WindowEffect;
  match: string[];
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  firstStartsAt: Temporal.Instant;
  firstEndsAt: Temporal.Instant;
  recurrence: string | null;
  zone: string | null;
  repeatsUntil: Temporal.Instant | null;
};

const RUNNING = sql`id, organization_id as "organizationId", team_id as "teamId", source_id as "sourceId", name, effect,
  match, starts_at as "startsAt", ends_at as "endsAt", first_starts_at as "firstStartsAt", first_ends_at as "firstEndsAt",
  recurrence, zone, repeats_until as "repeatsUntil"`;

/** The windows of these organizations that have begun and were not ended. Their number is limited, so all fit. */
export async function runningWindows(
  tx: Tx,
  at: Temporal.Instant,
  organizationIds: readonly string[],
): Promise<RunningWindow[]> {
  const { rows } = await sql<RunningWindow>`
    select ${RUNNING} from maintenance_windows
    where organization_id = any(${[...organizationIds]}::text[]) and over_at is null and starts_at <= ${at}`.execute(
    tx,
  );
  return rows;
}

/** A trigger that a window held or recorded. */
export type CaughtEvent = {
  windowId: string;
  organizationId: string;
  startsAt: Temporal.Instant;
  sourceId: string;
  dedupKey: string | null;
  title: string;
  /** The window may have caught it before. */
  again: boolean;
};

/** Counts the events that windows held or recorded. An event that is decided again counts once. */
export async function noteCaught(
  tx: Tx,
  at: Temporal.Instant,
  caught: readonly CaughtEvent[],
): Promise<void> {
  if (caught.length === 0) return;
  await sql`
    insert into window_events as known (window_id, organization_id, starts_at, source_id, subject, title, events, first_at, last_at)
    select e."windowId", e."organizationId", e."startsAt", e."sourceId", coalesce(e."dedupKey", e.title), max(e.title),
      count(*), ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(caught)}::jsonb) as e("windowId" text, "organizationId" text,
      "startsAt" timestamptz, "sourceId" text, "dedupKey" text, title text, again boolean)
    where not (e.again and exists (select from window_events known where known.window_id = e."windowId"
        and known.starts_at = e."startsAt" and known.source_id = e."sourceId" and known.subject = coalesce(e."dedupKey", e.title)))
    group by 1, 2, 3, 4, 5 order by 1, 3, 4, 5
    on conflict (window_id, starts_at, source_id, subject)
      do update set events = known.events + excluded.events, last_at = excluded.last_at, title = excluded.title`.execute(
    tx,
  );
}

export type NewWindow = Omit<RunningWindow, 'startsAt' | 'endsAt'> & {
  silence: boolean;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  createdBy: string | null;
};

/** False if the team has an active or upcoming window of this name. */
export async function insertWindow(tx: Tx, at: Temporal.Instant, window: NewWindow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('maintenance_windows')
    .values({
      id: window.id,
      organization_id: window.organizationId,
      team_id: window.teamId,
      source_id: window.sourceId,
      name: window.name,
      effect: window.effect,
      silence: window.silence,
      match: window.match,
      starts_at: window.startsAt,
      ends_at: window.endsAt,
      first_starts_at: window.firstStartsAt,
      first_ends_at: window.firstEndsAt,
      recurrence: window.recurrence,
      zone: window.zone,
      repeats_until: window.repeatsUntil,
      created_by: window.createdBy,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The number of active and upcoming windows of an organization. */
export async function countWindows(db: Handle, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('maintenance_windows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('over_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type WindowState = 'upcoming' | 'active' | 'over';

/** A window as lists show it, with the viewer's relation to its team. */
export type ListedWindow = RunningWindow & {
  silence: boolean;
  state: WindowState;
  team: { id: string; name: string; slug: string };
  source: { id: string; name: string } | null;
  owner: Person | null;
  createdAt: Temporal.Instant;
  overAt: Temporal.Instant | null;
  endedBy: Person | null;
  /** For the occurrence: the number of events, and of their alerts. */
  events: number;
  things: number;
  held: HeldShown[];
  relation: TeamRelation;
};

type Viewer = { organizationId: string; userId: string | null };

const MOST_LISTED = 200;
const MOST_HELD = 50;

/** Active and upcoming windows, the next to end first, or past ones, the latest first. */
export async function listWindows(
  db: Handle,
  at: Temporal.Instant,
  viewer: Viewer,
  { teamId, state }: { teamId: string | null; state: WindowState | null },
): Promise<ListedWindow[]> {
  const ofTeam = teamId === null ? sql`` : sql`and w.team_id = ${teamId}`;
  const ofState =
    state === null ? sql`and w.over_at is null and w.ends_at > ${at}` : sql`and ${stateAt(at)} = ${state}`;
  const order = state === 'over' ? sql`coalesce(w.over_at, w.ends_at) desc, w.id desc` : sql`w.ends_at, w.id`;
  const { rows } = await sql<ListedWindow>`
    ${listedAs(at, viewer, sql`${ofTeam} ${ofState}`)} order by ${order} limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** All maintenance windows, without silences, that are not over, also if their time has just ended. Their number is limited. */
export async function listUnended(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
): Promise<ListedWindow[]> {
  const { rows } = await sql<ListedWindow>`
    ${listedAs(at, { organizationId, userId: null }, sql`and w.over_at is null and not w.silence`)} order by w.id`.execute(
    db,
  );
  return rows;
}

/** A window of the organization, even a past one; null if there is none. */
export async function findWindow(
  db: Handle,
  at: Temporal.Instant,
  viewer: Viewer,
  id: string,
): Promise<ListedWindow | null> {
  const { rows } = await listedAs(at, viewer, sql`and w.id = ${id}`).execute(db);
  return rows[0] ?? null;
}

function stateAt(at: Temporal.Instant): RawBuilder<WindowState> {
  return sql<WindowState>`(case when w.over_at is not null or w.ends_at <= ${at} then 'over'
    when w.starts_at <= ${at} then 'active' else 'upcoming' end)`;
}

function listedAs(
  at: Temporal.Instant,
  viewer: Viewer,
  where: RawBuilder<unknown>,
): RawBuilder<ListedWindow> {
  return sql<ListedWindow>`
    select w.id, w.organization_id as "organizationId", w.team_id as "teamId", w.source_id as "sourceId", w.name, w.effect,
      w.match, w.starts_at as "startsAt", w.ends_at as "endsAt", w.first_starts_at as "firstStartsAt",
      w.first_ends_at as "firstEndsAt", w.recurrence, w.zone, w.repeats_until as "repeatsUntil",
      w.silence, ${stateAt(at)} as state, w.created_at as "createdAt", w.over_at as "overAt",
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      case when s.id is null then null else jsonb_build_object('id', s.id, 'name', s.name) end as source,
      ${personJson('owner')} as owner, ${personJson('ender')} as "endedBy",
      caught.events, caught.things, coalesce(held.list, '[]') as held,
      ${relationJson('m')} as relation
    from maintenance_windows w
    join teams t on t.id = w.team_id
    left join webhooks s on s.id = w.source_id
    left join users owner on owner.id = w.created_by
    left join users ender on ender.id = w.ended_by
    left join team_members m on m.team_id = w.team_id and m.user_id = ${viewer.userId}
    cross join lateral (
      select coalesce(sum(e.events), 0)::int as events, count(*)::int as things
      from window_events e where e.window_id = w.id and e.starts_at = w.starts_at) caught
    cross join lateral (
      select jsonb_agg(jsonb_build_object('source', jsonb_build_object('id', h.source_id, 'name', h.source_name),
        'title', h.title, 'events', h.events, 'first_at', ${utcText('h.first_at')}, 'last_at', ${utcText('h.last_at')},
        'waiting', h.waiting, 'page', h.page) order by h.last_at desc, h.subject) as list
      from (
        select e.*, x.name as source_name, exists (select from waiting_pages p
          where p.source_id = e.source_id and p.dedup_key = e.subject and p.reason = w.id) as waiting,
          (select case when p.created_at >= e.first_at then jsonb_build_object('id', p.id, 'state', p.state) end from pages p
            where p.organization_id = e.organization_id and p.dedup_scope = e.source_id and p.dedup_key = e.subject
            order by p.id desc limit 1) as page
        from window_events e join webhooks x on x.id = e.source_id
        where e.window_id = w.id and e.starts_at = w.starts_at
        order by e.last_at desc, e.subject limit ${MOST_HELD}) h) held
    where w.organization_id = ${viewer.organizationId} ${where}`;
}

/** Locks an active or upcoming window until the end of the transaction. Events may still be counted for it. */
export async function lockWindow(tx: Tx, organizationId: string, id: string): Promise<RunningWindow | null> {
  const { rows } = await sql<RunningWindow>`
    select ${RUNNING} from maintenance_windows
    where organization_id = ${organizationId} and id = ${id} and over_at is null for no key update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Locks windows whose occurrence has ended, of all organizations, the earliest first. */
export async function lockEndedWindows(
  tx: Tx,
  at: Temporal.Instant,
  limit: number,
): Promise<RunningWindow[]> {
  const { rows } = await sql<RunningWindow>`
    select ${RUNNING} from maintenance_windows where over_at is null and ends_at <= ${at}
    order by ends_at, id limit ${limit} for no key update skip locked`.execute(tx);
  return rows;
}

export type WindowChanges = {
  name?: string;
  effect?: WindowEffect;
  match?: string[];
  startsAt?: Temporal.Instant;
  endsAt?: Temporal.Instant;
  firstStartsAt?: Temporal.Instant;
  firstEndsAt?: Temporal.Instant;
  repeatsUntil?: Temporal.Instant | null;
  overAt?: Temporal.Instant;
  endedBy?: string | null;
};

/** Changes a locked window. False if its team has another one of the new name. */
export async function updateWindow(tx: Tx, id: string, changes: WindowChanges): Promise<boolean> {
  const { name, effect, match, startsAt, endsAt, firstStartsAt, firstEndsAt, repeatsUntil } = changes;
  const { numAffectedRows } = await sql`
    update maintenance_windows w set
      name = coalesce(${name ?? null}, name), effect = coalesce(${effect ?? null}, effect),
      match = coalesce(${match ?? null}::text[], match),
      starts_at = coalesce(${startsAt ?? null}, starts_at), ends_at = coalesce(${endsAt ?? null}, ends_at),
      first_starts_at = coalesce(${firstStartsAt ?? null}, first_starts_at),
      first_ends_at = coalesce(${firstEndsAt ?? null}, first_ends_at),
      repeats_until = ${repeatsUntil === undefined ? sql`repeats_until` : repeatsUntil},
      over_at = coalesce(${changes.overAt ?? null}, over_at), ended_by = coalesce(${changes.endedBy ?? null}, ended_by)
    where id = ${id} and not exists (select from maintenance_windows other
      where other.team_id = w.team_id and other.id <> w.id and other.over_at is null and not other.silence and not w.silence
        and lower(other.name) = lower(${name ?? null}))`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Moves the page time of a window's held events: to its new end, or to now. Those that a lifeboat held are not among the
 * events of the window.
 */
export async function moveWaiting(tx: Tx, windowId: string, dueAt: Temporal.Instant): Promise<void> {
  await sql`
    update waiting_pages p set due_at = ${dueAt}
    where p.reason = ${windowId}
      and p.source_id in (select s.id from maintenance_windows w join webhooks s on s.organization_id = w.organization_id
        where w.id = ${windowId} and s.pages)`.execute(tx);
}

/** The results of a window in one occurrence: the number of alerts, of events, and the titles of the latest 5. */
export type Caught = { things: number; events: number; titles: string[] };

/** What a window held or recorded in the occurrence that began at `startsAt`. */
export async function caughtIn(db: Handle, windowId: string, startsAt: Temporal.Instant): Promise<Caught> {
  const { rows } = await sql<{ things: number; events: number; titles: string[] | null }>`
    select count(*)::int as things, coalesce(sum(events), 0)::int as events,
      (array_agg(title order by last_at desc, subject))[1:5] as titles
    from window_events where window_id = ${windowId} and starts_at = ${startsAt}`.execute(db);
  const { things = 0, events = 0, titles } = rows[0] ?? {};
  return { things, events, titles: titles ?? [] };
}

/** Limits the pages since the end of a window that are compared with its held events. */
const MOST_RAISED_SINCE = 1_000;

/**
 * The alerts of a window that are still open at its end, the latest first, at most 200: they wait to page now, or have
 * paged since `endedAt`. Both count, because different nodes process the end of a window and its pages.
 */
export async function stillOpenAfter(
  tx: Tx,
  { id, organizationId, startsAt }: Pick<RunningWindow, 'id' | 'organizationId' | 'startsAt'>,
  endedAt: Temporal.Instant,
): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    with raised as materialized (
      select p.source_id, coalesce(p.dedup_key, p.title) as subject from pages p
      where p.created_at >= ${endedAt} and p.organization_id = ${organizationId} and p.source_id is not null
      order by p.created_at limit ${MOST_RAISED_SINCE})
    select e.title from window_events e
    where e.window_id = ${id} and e.starts_at = ${startsAt} and (
      (e.source_id, e.subject) in (select source_id, subject from raised)
      or exists (select from waiting_pages p where p.source_id = e.source_id and p.reason = ${id}
        and coalesce(p.dedup_key, p.event ->> 'title') = e.subject))
    order by e.last_at desc, e.subject limit ${MOST_LISTED}`.execute(tx);
  return rows.map(({ title }) => title);
}

/** A page of the last days, with the facts that matchers can compare. */
export type PastPage = { title: string; dedupKey: string | null; facts: PageFacts | null };

const MOST_PAST_OF_SOURCE = 200;

/** The pages since `since` of one source or all sources of a team, the latest 200 of each source, the latest first. */
export async function pastPages(
  db: Handle,
  { organizationId, teamId, sourceId }: { organizationId: string; teamId: string; sourceId: string | null },
  since: Temporal.Instant,
): Promise<PastPage[]> {
  const { rows } = await sql<PastPage>`
    select p.title, p.dedup_key as "dedupKey", p.facts from webhooks w
    cross join lateral (select id, title, dedup_key, facts, created_at from pages where source_id = w.id
      order by id desc limit ${MOST_PAST_OF_SOURCE}) p
    where w.organization_id = ${organizationId} and w.team_id = ${teamId} and w.pages
      and (${sourceId}::text is null or w.id = ${sourceId}) and p.created_at >= ${since}
    order by p.id desc`.execute(db);
  return rows;
}

/** The page or moment of a silence. `sourceId` is null if no page source created it. */
export type Silenceable = {
  teamId: string | null;
  sourceId: string | null;
  dedupKey: string | null;
  title: string;
  /** Null for moments and for pages that kept none. */
  facts: PageFacts | null;
};

/** The page or the moment of the organization; null if there is none. */
export async function findSilenceable(
  db: Handle,
  organizationId: string,
  { page, moment }: { page?: string | undefined; moment?: string | undefined },
): Promise<Silenceable | null> {
  const from =
    page === undefined
      ? sql`select w.team_id, w.id, m.dedup_key, m.name as title, null::jsonb as facts from moments m
          left join webhooks w on w.id = m.webhook_id and w.pages
          where m.organization_id = ${organizationId} and m.id = ${moment ?? ''}`
      : sql`select w.team_id, w.id, p.dedup_key, p.title, p.facts from pages p left join webhooks w on w.id = p.source_id
          where p.organization_id = ${organizationId} and p.id = ${page}`;
  const { rows } = await sql<Silenceable>`
    select found.team_id as "teamId", found.id as "sourceId", found.dedup_key as "dedupKey", found.title, found.facts
    from (${from}) found`.execute(db);
  return rows[0] ?? null;
}

/** A page source of the organization that is not revoked. */
export async function findSource(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<{ id: string; teamId: string } | null> {
  const row = await db
    .selectFrom('webhooks')
    .select(['id', 'team_id as teamId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('pages', '=', true)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Deletes windows that ended before `before`, and older events of others. Returns how many rows, at most 2 × `limit`.
 */
export async function forgetWindows(db: Handle, before: Temporal.Instant, limit: number): Promise<number> {
  const windows = await sql`
    delete from maintenance_windows where id in (
      select id from maintenance_windows where over_at < ${before} limit ${limit})`.execute(db);
  const events = await sql`
    delete from window_events where (window_id, starts_at, source_id, subject) in (
      select window_id, starts_at, source_id, subject from window_events where last_at < ${before} limit ${limit})`.execute(
    db,
  );
  return Number(windows.numAffectedRows ?? 0n) + Number(events.numAffectedRows ?? 0n);
}
