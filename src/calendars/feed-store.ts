import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Language } from '../language/contract.ts';
import { learnsFrom, shadowsIn } from '../people/shadow-store.ts';
import { languageOf } from '../people/store.ts';
import { LONGEST_SHIFT } from '../schedules/longest-shift-contract.ts';
import type { FeedKind } from './api-contract.ts';

/** A feed as its owner sees it. */
export type OwnFeed = {
  id: string;
  kind: FeedKind;
  team: { id: string; name: string; slug: string } | null;
  schedule: { id: string; name: string } | null;
  tokenSealed: Buffer;
  createdAt: Temporal.Instant;
  rotatedAt: Temporal.Instant | null;
  lastUsedAt: Temporal.Instant | null;
};

type Owner = { organizationId: string; userId: string };

/** A person's feeds, or the one with this id, oldest first. */
export async function listFeeds(db: Handle, owner: Owner, id: string | null): Promise<OwnFeed[]> {
  const { rows } = await sql<OwnFeed>`
    select feed.id, feed.kind, feed.token_sealed as "tokenSealed", feed.created_at as "createdAt",
      feed.rotated_at as "rotatedAt", feed.last_used_at as "lastUsedAt",
      case when team.id is null then null
        else jsonb_build_object('id', team.id, 'name', team.name, 'slug', team.slug) end as team,
      case when schedule.id is null then null
        else jsonb_build_object('id', schedule.id, 'name', schedule.name) end as schedule
    from calendar_feeds feed
    left join teams team on team.id = feed.team_id
    left join schedules schedule on schedule.id = feed.schedule_id
    where feed.organization_id = ${owner.organizationId} and feed.user_id = ${owner.userId}
      and (${id}::text is null or feed.id = ${id})
    order by feed.created_at, feed.id`.execute(db);
  return rows;
}

export type FeedSubject = { kind: FeedKind; teamId: string | null; scheduleId: string | null };
export type FeedToken = { hash: Buffer; sealed: Buffer };

/** Creates a feed, or returns the existing one for the same subject. */
export async function insertFeed(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  id: string,
  { kind, teamId, scheduleId }: FeedSubject,
  token: FeedToken,
): Promise<{ id: string; created: boolean }> {
  const { rows } = await sql<{ id: string }>`
    insert into calendar_feeds (id, organization_id, user_id, kind, team_id, schedule_id, token_hash, token_sealed, created_at)
    values (${id}, ${organizationId}, ${userId}, ${kind}, ${teamId}, ${scheduleId}, ${token.hash}, ${token.sealed}, ${at})
    on conflict (user_id, kind, coalesce(team_id, ''), coalesce(schedule_id, '')) do nothing
    returning id`.execute(tx);
  if (rows[0]) return { id, created: true };
  const known = await sql<{ id: string }>`
    select id from calendar_feeds where user_id = ${userId} and kind = ${kind}
      and team_id is not distinct from ${teamId} and schedule_id is not distinct from ${scheduleId}`.execute(
    tx,
  );
  return { id: known.rows[0]?.id ?? id, created: false };
}

/** Gives a feed a new token. Returns false if the person has no such feed. */
export async function rotateFeed(
  tx: Tx,
  at: Temporal.Instant,
  owner: Owner,
  id: string,
  token: FeedToken,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update calendar_feeds set token_hash = ${token.hash}, token_sealed = ${token.sealed}, rotated_at = ${at},
      last_used_at = null
    where organization_id = ${owner.organizationId} and user_id = ${owner.userId} and id = ${id}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Returns false if the person has no such feed. */
export async function deleteFeed(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from calendar_feeds
    where organization_id = ${owner.organizationId} and user_id = ${owner.userId} and id = ${id}`.execute(tx);
  return numAffectedRows === 1n;
}

/** A feed and what it contains. */
export type Feed = FeedSubject & {
  id: string;
  organizationId: string;
  userId: string;
  name: string;
  /** Of its owner. */
  language: Language;
};

/** The feed of a token, unless its owner is disabled. */
export async function findFeed(db: Handle, tokenHash: Buffer): Promise<Feed | null> {
  const { rows } = await sql<Feed>`
    select feed.id, feed.organization_id as "organizationId", feed.user_id as "userId", feed.kind,
      feed.team_id as "teamId", feed.schedule_id as "scheduleId", coalesce(schedule.name, team.name, owner.name) as name,
      ${languageOf('owner')} as language
    from calendar_feeds feed
    join users owner on owner.id = feed.user_id and owner.disabled_at is null
    left join teams team on team.id = feed.team_id
    left join schedules schedule on schedule.id = feed.schedule_id
    where feed.token_hash = ${tokenHash}`.execute(db);
  return rows[0] ?? null;
}

/** Updated at most once a minute, because calendar programs poll every few minutes. */
export async function noteFeedUsed(db: Handle, at: Temporal.Instant, id: string): Promise<void> {
  await sql`
    update calendar_feeds set last_used_at = ${at}
    where id = ${id} and (last_used_at is null or last_used_at < ${at}::timestamptz - interval '1 minute')`.execute(
    db,
  );
}

/** A shift or a gap as shown in a calendar. */
export type FeedShift = {
  id: string;
  scheduleId: string;
  scheduleName: string;
  teamName: string;
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  userId: string | null;
  userName: string | null;
  plannedUserId: string | null;
  plannedName: string | null;
  backstopName: string | null;
};

/** Feeds include some past shifts, and are limited in size because calendar programs cannot handle more events. */
const PAST = { hours: 30 * 24 };
const MOST = 5_000;

/**
 * The shifts of a feed in enabled schedules; a schedule's own feed works even if it is disabled. As everywhere, disabled
 * people are on call only in shifts that began before they were disabled.
 */
export async function shiftsOfFeed(db: Handle, at: Temporal.Instant, feed: Feed): Promise<FeedShift[]> {
  const since = at.subtract(PAST);
  const { rows } = await sql<FeedShift>`
    select shift.id, schedule.id as "scheduleId", schedule.name as "scheduleName", team.name as "teamName",
      backstop.name as "backstopName", shift.stage, shift.starts_at as "startsAt", shift.ends_at as "endsAt",
      shift.created_at as "createdAt", shift.updated_at as "updatedAt", who.id as "userId", who.name as "userName",
      planned.id as "plannedUserId", planned.name as "plannedName"
    from (${feed.kind === 'person' ? shiftsOfPerson(feed, since) : shiftsOfSchedules(feed, since)}) shift
    join schedules schedule on schedule.id = shift.schedule_id and schedule.organization_id = ${feed.organizationId}
      ${feed.kind === 'schedule' ? sql`` : sql`and schedule.enabled`}
    join teams team on team.id = schedule.team_id
    left join users backstop on backstop.id = schedule.backstop_user_id and backstop.disabled_at is null
    left join users who on who.id = shift.user_id
      and (who.disabled_at is null or who.disabled_at > shift.starts_at)
    left join users planned on planned.id = shift.planned_user_id
    order by shift.starts_at, shift.stage, shift.seat, shift.id limit ${MOST}`.execute(db);
  return rows;
}

/** The person's shifts, those planned for them that others took over, and those in which they are a shadow. */
function shiftsOfPerson({ organizationId, userId }: Owner, since: Temporal.Instant) {
  const begun = since.subtract(LONGEST_SHIFT);
  return sql`
    select * from shifts where user_id = ${userId} and starts_at > ${begun} and ends_at > ${since}
    union all
    select * from shifts where planned_user_id = ${userId} and planned_user_id is distinct from user_id
      and starts_at > ${begun} and ends_at > ${since}
    union all
    select h.* from schedules s cross join ${shadowsIn('s')} w
    join shifts h on h.schedule_id = s.id and tstzrange(h.starts_at, h.ends_at) && tstzrange(${since}, null)
    where s.organization_id = ${organizationId} and s.planning ? 'shadows' and w.user_id = ${userId}
      and ${learnsFrom('w', 'h')} and h.planned_user_id is distinct from w.user_id`;
}

function shiftsOfSchedules(feed: Feed, since: Temporal.Instant) {
  const schedules =
    feed.kind === 'schedule'
      ? sql`select id from schedules where id = ${feed.scheduleId}`
      : sql`select id from schedules where team_id = ${feed.teamId} and enabled`;
  return sql`
    select shifts.* from (${schedules}) followed join shifts on shifts.schedule_id = followed.id
      and tstzrange(shifts.starts_at, shifts.ends_at) && tstzrange(${since}, null)`;
}
