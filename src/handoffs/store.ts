import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { instantText } from '../kit/instant.ts';
import { newId } from '../kit/typeid.ts';
import type { Person } from '../people/contract.ts';
import { openPagesOf } from '../people/open-pages-store.ts';
import { learnsFrom, shadowsIn } from '../people/shadow-store.ts';
import { personJson } from '../people/store.ts';
import { type HandoffChange, type HandoffFacts, MOST_LISTED } from './contract.ts';

/** The fields of a schedule that its hand-off notes use. */
export type HandoffSchedule = {
  organizationId: string;
  teamId: string;
  teamSlug: string;
  scheduleId: string;
  name: string;
};

/** After a downtime, notes are still written for this long after their hand-offs. */
const LATEST = { hours: 1 };
/** A note contains changes of the next 14 days. */
const AHEAD_DAYS = 14;
/** A note never looks further back. A first note without a former shift looks back for a week. */
const LONGEST_DAYS = 31;
const FIRST_DAYS = 7;

/**
 * The time when the people who were last on call in the stage of the shift `h` went off call: at its start, or up to a
 * week before, because schedules with hours have nobody on call at night. Null if there were none.
 */
const FORMER_END = sql`(select max(l.ends_at) from shifts l
  where l.schedule_id = h.schedule_id and l.stage = h.stage and l.user_id is not null and l.ends_at <= h.starts_at
    and l.ends_at > h.starts_at - interval '7 days'
    and tstzrange(l.starts_at, l.ends_at) && tstzrange(h.starts_at - interval '7 days', h.starts_at))`;
/** The shift `h` takes over from somebody else; its person was not on call in that stage before. */
const TAKES_OVER = sql`h.user_id is not null and ${FORMER_END} is not null and not exists (select from shifts p
  where p.schedule_id = h.schedule_id and p.stage = h.stage and p.user_id = h.user_id and p.starts_at < h.starts_at
    and p.ends_at >= ${FORMER_END})`;

/** Hand-offs of enabled schedules that have no note yet, the earliest first; at most `limit`. */
export async function dueHandoffs(
  db: Handle,
  at: Temporal.Instant,
  limit: number,
): Promise<(HandoffSchedule & { at: Temporal.Instant })[]> {
  const { rows } = await sql<HandoffSchedule & { at: Temporal.Instant }>`
    select s.organization_id as "organizationId", s.team_id as "teamId", t.slug as "teamSlug", s.id as "scheduleId", s.name,
      h.starts_at as at
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled join teams t on t.id = s.team_id
    where h.starts_at > ${at.subtract(LATEST)} and h.starts_at <= ${at} and ${TAKES_OVER}
      and not exists (select from handoff_notes n where n.schedule_id = h.schedule_id and n.at = h.starts_at)
    group by s.id, t.slug, h.starts_at order by h.starts_at, s.id limit ${limit}`.execute(db);
  return rows;
}

/** The next hand-off of a schedule after `at`, within 60 days. */
export async function nextHandoff(
  db: Handle,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ at: Temporal.Instant }>`
    select h.starts_at as at from shifts h
    where h.schedule_id = ${scheduleId} and h.starts_at > ${at}
      and h.starts_at < ${at}::timestamptz + interval '60 days' and ${TAKES_OVER}
    order by h.starts_at limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

/** The people who change at a hand-off, by stage. */
export async function changesAt(
  db: Handle,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<HandoffChange[]> {
  const { rows } = await sql<HandoffChange>`
    with incoming as materialized (
      select h.stage, h.user_id, ${FORMER_END} as former_end from shifts h
      where h.schedule_id = ${scheduleId} and h.starts_at = ${at} and ${TAKES_OVER})
    select i.stage::float8 as stage, jsonb_agg(distinct ${personJson('u')}) as "to",
      coalesce((
        select jsonb_agg(distinct ${personJson('f')}) from shifts p join users f on f.id = p.user_id
        where p.schedule_id = ${scheduleId} and p.stage = i.stage and p.ends_at = max(i.former_end)
          and not exists (select from shifts n where n.schedule_id = p.schedule_id and n.stage = p.stage
            and n.user_id = p.user_id and n.starts_at <= ${at} and n.ends_at > ${at})), '[]') as "from"
    from incoming i join users u on u.id = i.user_id
    group by i.stage order by i.stage`.execute(db);
  return rows;
}

/** Ids of the people who are on call to learn with somebody who begins at a hand-off. */
export async function shadowsAt(db: Handle, scheduleId: string, at: Temporal.Instant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct w.user_id as id from schedules s cross join ${shadowsIn('s')} w
    join shifts h on h.schedule_id = s.id and h.starts_at = ${at}
    where s.id = ${scheduleId} and ${learnsFrom('w', 'h', at)} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The hand-off before `at`, which is where the note of `at` begins. */
export async function sinceWhen(
  db: Handle,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<Temporal.Instant> {
  const earliest = at.subtract({ hours: LONGEST_DAYS * 24 });
  const { rows } = await sql<{ at: Temporal.Instant | null }>`
    select coalesce(
      (select max(n.at) from handoff_notes n
        where n.schedule_id = ${scheduleId} and n.at < ${at} and n.at > ${earliest}),
      (select min(h.starts_at) from shifts h
        where h.schedule_id = ${scheduleId} and h.starts_at < ${at} and h.ends_at >= ${at} and h.starts_at > ${earliest}
          and h.user_id is not null)) as at`.execute(db);
  return rows[0]?.at ?? at.subtract({ hours: FIRST_DAYS * 24 });
}

type Listed<Item> = { items: Item[]; more: number };

async function listed<Item>(db: Handle, query: RawBuilder<unknown>): Promise<Listed<Item>> {
  const { rows } = await sql<{ item: Item; total: number }>`
    select item, count(*) over ()::int as total from (${query}) found limit ${MOST_LISTED}`.execute(db);
  return { items: rows.map(({ item }) => item), more: Math.max(0, (rows[0]?.total ?? 0) - MOST_LISTED) };
}

type Facts = Omit<HandoffFacts, 'windows' | 'problems'>;

/** The database's information about a schedule and its team between two hand-offs. `now` is at most `at`. */
export async function readFacts(
  db: Handle,
  { organizationId, teamId, scheduleId }: HandoffSchedule,
  { since, at }: { since: Temporal.Instant; at: Temporal.Instant },
): Promise<Facts> {
  const ahead = at.add({ hours: AHEAD_DAYS * 24 });
  const span = sql`'stage', h.stage::float8, 'starts_at', ${utcText('h.starts_at')}, 'ends_at', ${utcText('h.ends_at')}`;
  const { rows } = await sql<{ publishedAt: Temporal.Instant | null }>`
    select max(published_at) as "publishedAt" from plans
    where schedule_id = ${scheduleId} and state = 'published' and published_at > ${since} and published_at <= ${at}`.execute(
    db,
  );
  const publishedAt = rows[0]?.publishedAt ?? null;
  return {
    open_pages: await listed(
      db,
      sql`select jsonb_build_object('id', p.id, 'title', p.title, 'urgency', p.urgency, 'state', p.state,
          'created_at', ${utcText('p.created_at')}) as item
        from ${openPagesOf(organizationId)} p where p.team_id = ${teamId} order by p.id desc`,
    ),
    rang: await rangBetween(db, teamId, since, at),
    covers: await listed(
      db,
      sql`select jsonb_build_object(${span}, 'person', ${personJson('u')}, 'instead_of', ${personJson('planned')},
          'is_new', coalesce(o.created_at > ${since}, false)) as item
        from shifts h join users u on u.id = h.user_id
        left join users planned on planned.id = h.planned_user_id left join overrides o on o.id = h.override_id
        where h.schedule_id = ${scheduleId} and h.planned_user_id is distinct from h.user_id
          and h.starts_at < ${ahead} and h.ends_at > ${at} order by h.starts_at, h.stage, h.seat`,
    ),
    gaps: await listed(
      db,
      sql`select jsonb_build_object(${span}) as item from shifts h
        where h.schedule_id = ${scheduleId} and h.user_id is null and h.starts_at < ${ahead} and h.ends_at > ${at}
        order by h.starts_at, h.stage, h.seat`,
    ),
    published_at: publishedAt && instantText(publishedAt),
  };
}

async function rangBetween(
  db: Handle,
  teamId: string,
  since: Temporal.Instant,
  at: Temporal.Instant,
): Promise<HandoffFacts['rang']> {
  const { rows } = await sql<HandoffFacts['rang']>`
    with rang as materialized (
      select title, urgency, expired_at from pages
      where team_id = ${teamId} and created_at >= ${since} and created_at < ${at})
    select count(*)::int as pages, count(*) filter (where urgency = 'high')::int as high, count(expired_at)::int as expired,
      coalesce((select jsonb_agg(jsonb_build_object('title', t.title, 'pages', t.pages) order by t.pages desc, t.title)
        from (select title, count(*)::int as pages from rang group by title order by 2 desc, 1 limit 5) t), '[]') as titles
    from rang`.execute(db);
  return rows[0] ?? { pages: 0, high: 0, expired: 0, titles: [] };
}

export type Draft = { text: string; revision: number; writtenBy: Person | null; writtenAt: Temporal.Instant };

/** The text for the next hand-off of a schedule; null if nobody has written one. */
export async function findDraft(db: Handle, scheduleId: string): Promise<Draft | null> {
  const { rows } = await sql<Draft>`
    select d.text, d.revision, ${personJson('u')} as "writtenBy", d.written_at as "writtenAt"
    from handoff_drafts d left join users u on u.id = d.written_by where d.schedule_id = ${scheduleId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Saves the text for the next hand-off. False if somebody has changed this revision; 0 means that there is none yet.
 */
export async function saveDraft(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, scheduleId }: HandoffSchedule,
  { text, revision, userId }: { text: string; revision: number; userId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into handoff_drafts as known (schedule_id, organization_id, text, revision, written_by, written_at)
    select ${scheduleId}, ${organizationId}, ${text}, ${revision + 1}, ${userId}, ${at}::timestamptz
    where ${revision} = 0 or exists (select from handoff_drafts where schedule_id = ${scheduleId})
    on conflict (schedule_id) do update set text = excluded.text, revision = excluded.revision,
      written_by = excluded.written_by, written_at = excluded.written_at
      where known.revision = ${revision}
    returning 1`.execute(tx);
  return rows.length === 1;
}

/** Takes the draft of a schedule, so that only one note contains it. */
export async function takeDraft(
  tx: Tx,
  scheduleId: string,
): Promise<{ text: string; writtenBy: string | null } | null> {
  const { rows } = await sql<{ text: string; writtenBy: string | null }>`
    delete from handoff_drafts where schedule_id = ${scheduleId}
    returning text, written_by as "writtenBy"`.execute(tx);
  return rows[0] ?? null;
}

export type NewNote = HandoffSchedule & {
  at: Temporal.Instant;
  since: Temporal.Instant;
  changes: readonly HandoffChange[];
  facts: HandoffFacts;
};

/** Reserves the note of a hand-off. Null if another node has already written it. */
export async function insertNote(tx: Tx, at: Temporal.Instant, note: NewNote): Promise<string | null> {
  const id = newId('handoff');
  const { rows } = await sql`
    insert into handoff_notes (id, organization_id, schedule_id, at, since, changes, facts, created_at)
    values (${id}, ${note.organizationId}, ${note.scheduleId}, ${note.at}, ${note.since},
      ${JSON.stringify(note.changes)}::jsonb, ${JSON.stringify(note.facts)}::jsonb, ${at})
    on conflict (schedule_id, at) do nothing returning 1`.execute(tx);
  return rows.length === 1 ? id : null;
}

export async function addText(
  tx: Tx,
  id: string,
  { text, writtenBy }: { text: string; writtenBy: string | null },
): Promise<void> {
  await sql`update handoff_notes set text = ${text}, written_by = ${writtenBy} where id = ${id}`.execute(tx);
}

export type StoredNote = {
  id: string;
  scheduleId: string;
  scheduleName: string;
  at: Temporal.Instant;
  since: Temporal.Instant;
  changes: HandoffChange[];
  text: string;
  writtenBy: Person | null;
  facts: HandoffFacts;
};

/** Notes of a schedule, the latest first, or one by its id. */
export async function listNotes(
  db: Handle,
  organizationId: string,
  which: { scheduleId: string; limit: number } | { id: string },
): Promise<StoredNote[]> {
  const [condition, limit] =
    'id' in which ? [sql`n.id = ${which.id}`, 1] : [sql`n.schedule_id = ${which.scheduleId}`, which.limit];
  const { rows } = await sql<StoredNote>`
    select n.id, s.id as "scheduleId", s.name as "scheduleName", n.at, n.since, n.changes, n.text,
      ${personJson('u')} as "writtenBy", n.facts
    from handoff_notes n join schedules s on s.id = n.schedule_id left join users u on u.id = n.written_by
    where n.organization_id = ${organizationId} and ${condition} order by n.at desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Deletes notes that were written before `before`. */
export async function forgetHandoffNotes(
  db: Handle,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from handoff_notes where id in (
      select id from handoff_notes where created_at < ${before} order by created_at limit ${limit})
    returning 1`.execute(db);
  return rows.length;
}
