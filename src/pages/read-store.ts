import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { findRare } from '../db/rare.ts';
import { utcText } from '../db/utc-text.ts';
import { firstIdAt } from '../kit/typeid.ts';
import type { Person } from '../people/contract.ts';
import { isOpen, isUnanswered, openPagesOf } from '../people/open-pages-store.ts';
import { learnsFrom, shadowsIn } from '../people/shadow-store.ts';
import { addressForPrograms } from '../people/short-address.ts';
import { personJson } from '../people/store.ts';
import type { PageListQuery, PageRelated, PageSummary } from './api-contract.ts';
import type { RefusedPage } from './compose-api-contract.ts';
import type { PageOfRequest, PageState, StatusDelivery, StatusPage, Urgency } from './contract.ts';
import { MAX_ROUNDS } from './escalation.ts';
import type { Relation } from './policy.ts';
import { addedSinceSql } from './store.ts';
import type { TimelineRows } from './timeline.ts';

/** A page as its acknowledge link shows it; null if there is none. */
export async function findPageSummary(db: Handle, pageId: string) {
  const row = await db
    .selectFrom('pages as p')
    .leftJoin('teams as t', 't.id', 'p.team_id')
    .leftJoin('users as a', 'a.id', 'p.acknowledged_by')
    .select([
      'p.id',
      'p.title',
      'p.text',
      'p.urgency',
      'p.state',
      'p.source_url as sourceUrl',
      't.name as team',
      'p.created_at as createdAt',
      'a.name as acknowledgedBy',
      'p.acknowledged_at as acknowledgedAt',
    ])
    .where('p.id', '=', pageId)
    .executeTakeFirst();
  return row ?? null;
}

/** The page that a request raised or changed, with all its deliveries, as the status of the request shows them, in one round trip. */
export async function findStatusPage(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<StatusPage | null> {
  const { rows } = await sql<StatusPage>`
    select p.id, p.state, p.urgency, p.drill, p.round, ${utcText('p.acknowledged_at')} as acknowledged_at,
      ${personJson('a')} as acknowledged_by,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', d.id, 'user', ${personJson('u')},
          'channel', d.channel, 'address', d.address, 'state', d.state, 'attempts', d.attempts, 'repeat', d.repeat,
          'stage', r.stage, 'round', r.round, 'due_at', ${utcText('d.due_at')}, 'sent_at', ${utcText('d.sent_at')},
          'accepted_at', ${utcText('d.accepted_at')}, 'provider_id', d.provider_id, 'receipt', d.receipt, 'error', d.error
        ) order by d.id)
        from deliveries d join users u on u.id = d.user_id join responders r on r.id = d.responder_id
        where d.page_id = p.id and d.type = 'page.notification'
      ), '[]') as deliveries
    from pages p left join users a on a.id = p.acknowledged_by
    where p.organization_id = ${organizationId} and p.id = coalesce(
      (select id from pages where request_id = ${requestId}),
      (select page_id from request_pages where request_id = ${requestId} order by position limit 1))`.execute(
    db,
  );
  const [page] = rows;
  if (!page) return null;
  return { ...page, deliveries: page.deliveries.map(forPrograms) };
}

function forPrograms(delivery: StatusDelivery): StatusDelivery {
  return { ...delivery, address: addressForPrograms(delivery.channel, delivery.address) };
}

/** The effects of the events of a request on pages, in the order of the events. */
export async function pagesOfRequest(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<PageOfRequest[]> {
  const { rows } = await sql<PageOfRequest>`
    select p.id, p.state, r.action, r.reason from request_pages r left join pages p on p.id = r.page_id
    where r.request_id = ${requestId} and r.organization_id = ${organizationId}
    order by r.position`.execute(db);
  return rows;
}

/** The id of the page that a request raised. Throws if it raised none. */
export async function findPageOfRequest(
  db: Handle,
  organizationId: string,
  requestId: string,
): Promise<string> {
  const { id } = await db
    .selectFrom('pages')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first; `before` is the id of one, null for the newest of all. */
export async function listRefusedPages(
  db: Handle,
  organizationId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<RefusedPage[]> {
  const { rows } = await sql<RefusedPage>`
    select r.id, replace(r.kind, 'page.', '') as kind,
      ${utcText('r.refused_at')} as at,
      ${personJson('u')} as by,
      left(r.body ->> 'title', 200) as title, left(r.body ->> 'recipient', 320) as recipient, r.details as reasons
    from refused_pages r join users u on u.id = r.user_id
    where r.organization_id = ${organizationId} and (${before}::text is null or r.id < ${before})
    order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

/** A team or person that a page names; `now` is the time of the look-up. */
export type Target = { id: string; name: string; now: Temporal.Instant };

/** The team with this slug in any case; null if the organization has none. */
export async function findTeamTarget(
  db: Handle,
  clock: Clock,
  organizationId: string,
  slug: string,
): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select id, name, ${clock.sql} as now from teams
    where organization_id = ${organizationId} and lower(slug) = lower(${slug})`.execute(db);
  return rows[0] ?? null;
}

/** The person with this email address in any case who is not disabled; null if the organization has none. */
export async function findPersonTarget(
  db: Handle,
  clock: Clock,
  organizationId: string,
  email: string,
): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select id, name, ${clock.sql} as now from users
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and disabled_at is null`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function insertRefusedPage(
  db: Handle,
  clock: Clock,
  refused: {
    id: string;
    organizationId: string;
    userId: string;
    kind: 'page.team' | 'page.person';
    body: unknown;
    details: unknown;
  },
): Promise<void> {
  await db
    .insertInto('refused_pages')
    .values({
      id: refused.id,
      organization_id: refused.organizationId,
      user_id: refused.userId,
      kind: refused.kind,
      body: JSON.stringify(refused.body ?? null),
      details: JSON.stringify(refused.details),
      refused_at: clock.sql,
    })
    .execute();
}

export type PageWithRelation = Omit<PageSummary, 'mine' | 'may_act' | 'may_silence'> & { relation: Relation };

/**
 * The last round of a page, by the number of rounds in the schedules of its team. The same rule as in `decideTeamStep`.
 */
const LAST_ROUND = sql`p.last_round - ${MAX_ROUNDS}::int + coalesce(
  (select max(s.rounds) from schedules s where s.team_id = p.team_id and s.enabled and p.kind = 'team'), ${MAX_ROUNDS}::int)`;

/**
 * Pages as the dashboard shows them. Their parts are read for all pages at once, because one look-up per page costs twenty
 * times as much. Each part is materialized: with old statistics, the planner expects a single page and would read each part
 * again for every page.
 *
 * @param which selects rows of `pages`
 */
function pagesAs(
  viewerId: string,
  which: RawBuilder<unknown>,
  text: RawBuilder<unknown>,
): RawBuilder<PageWithRelation> {
  return sql<PageWithRelation>`
    with chosen as materialized (${which}),
    notified_ever as materialized (
      select r.id, r.page_id, r.user_id, r.round, r.kind, r.stage, r.started_at
      from responders r where r.page_id = any(array(select id from chosen)) and r.kind <> 'expired'
    ), people as materialized (
      select u.id, u.name, u.email from users u where u.id = any(array(
        select user_id from notified_ever
        union select unnest(array[c.user_id, c.raised_by, c.acknowledged_by, c.resolved_by]) from chosen c))
    ), sources as materialized (
      select w.id, w.name, w.team_id from webhooks w where w.id = any(array(
        select unnest(array[c.source_id, c.acknowledged_by_source, c.resolved_by_source]) from chosen c))
    ), notified as materialized (
      select r.page_id, jsonb_agg(jsonb_build_object('person', ${personJson('u')}, 'as', r.kind, 'stage', r.stage,
        'at', ${utcText('r.started_at')}, 'awaited', p.state = 'acknowledged' and ${addedSinceSql()}) order by r.id) as people
      from notified_ever r join chosen p on p.id = r.page_id and p.round = r.round join people u on u.id = r.user_id
      group by r.page_id
    ), channels as materialized (
      select page_id, jsonb_agg(jsonb_build_object('channel', channel, 'state', state) order by first) as states
      from (
        select d.page_id, d.channel, min(d.created_at) as first, (array_agg(d.state order by
          array_position(array['delivered', 'accepted', 'sending', 'retrying', 'failed', 'bundled', 'waiting', 'cancelled'], d.state)))[1] as state
        from deliveries d
        where d.page_id = any(array(select id from chosen)) and d.type = 'page.notification'
        group by d.page_id, d.channel
      ) best group by page_id
    ), next as materialized (
      select distinct on (n.page_id) n.page_id,
        jsonb_build_object('at', ${utcText('n.due_at')}, 'kind', n.kind, 'stage', n.stage, 'round', n.round) as step
      from page_steps n where n.page_id = any(array(select id from chosen)) and n.state = 'due'
      order by n.page_id, n.due_at
    ), again as materialized (
      select distinct on (a.former_page_id) a.former_page_id as page_id,
        jsonb_build_object('id', n.id, 'state', n.state, 'at', ${utcText('a.raised_at')}) as page
      from pages_again a join pages n on n.id = a.page_id where a.former_page_id = any(array(select id from chosen))
      order by a.former_page_id, a.raised_at desc, a.page_id desc
    )
    select p.id, p.kind, p.title, ${text} as text, p.urgency, p.state, p.round, ${LAST_ROUND} as last_round, p.source_url,
      case when source.id is null then null else jsonb_build_object('id', source.id, 'name', source.name) end as source,
      p.dedup_key, p.drill,
      case when t.id is null then null else jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) end as team,
      ${personJson('u')} as person, ${personJson('raiser')} as raised_by, ${utcText('p.created_at')} as created_at,
      ${utcText('p.acknowledged_at')} as acknowledged_at, ${personJson('a')} as acknowledged_by,
      ${actingSource('acknowledger', 'p.acknowledged_as')} as acknowledged_by_source, p.acknowledged_via,
      ${utcText('p.resolved_at')} as resolved_at, ${personJson('s')} as resolved_by,
      ${actingSource('resolver', 'p.resolved_as')} as resolved_by_source,
      ${utcText('p.expired_at')} as expired_at,
      case when p.state = 'acknowledged' then ${utcText('p.remind_at')} end as remind_at,
      ${isUnanswered('p')} as unanswered, former.former_page_id as again_of, again.page as paged_again,
      coalesce(notified.people, '[]') as notified, coalesce(channels.states, '[]') as channels, next.step as next,
      jsonb_build_object(
        'ofTheTeam', coalesce(p.team_id in (select team_id from team_members where user_id = ${viewerId}), false),
        'notified', p.id in (select page_id from notified_ever where user_id = ${viewerId}),
        'ofTheSourcesTeam', source.team_id in (select team_id from team_members where user_id = ${viewerId})
      ) as relation
    from chosen p
    left join teams t on t.id = p.team_id
    left join people u on u.id = p.user_id
    left join people raiser on raiser.id = p.raised_by
    left join people a on a.id = p.acknowledged_by
    left join people s on s.id = p.resolved_by
    left join sources source on source.id = p.source_id
    left join sources acknowledger on acknowledger.id = p.acknowledged_by_source
    left join sources resolver on resolver.id = p.resolved_by_source
    left join notified on notified.page_id = p.id
    left join channels on channels.page_id = p.id
    left join next on next.page_id = p.id
    left join pages_again former on former.page_id = p.id
    left join again on again.page_id = p.id
    order by p.id desc`;
}

/** The source that acted on a page, with the person whom its call named. */
function actingSource(source: string, named: string): RawBuilder<unknown> {
  return sql`case when ${sql.ref(`${source}.id`)} is null then null else jsonb_build_object('id', ${sql.ref(`${source}.id`)},
    'name', ${sql.ref(`${source}.name`)}, 'as', ${sql.ref(named)}) end`;
}

/** Words that pages have, for `to_tsquery`. */
export type PageSearch = {
  words: string;
  /** Reads at most so many of the newest pages that match the other conditions. */
  newest?: number;
  /** All closed pages that have the words, if there are few; null if there are many. */
  among?: readonly string[] | null;
};

type ListedPages = Omit<PageListQuery, 'text'>;

/** Newest first; `before` is the id of a page, null for the newest of all. */
export async function listPages(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  which: ListedPages,
  search: PageSearch | null,
): Promise<PageWithRelation[]> {
  const newest = search?.newest ?? null;
  const words = search === null ? sql`` : sql`and ${hasWords(search.words)}`;
  const pages = sql`
    select p.* from ${sourceOf(viewer, which, search?.among ?? null)}
    where p.organization_id = ${viewer.organizationId} ${conditions(viewer, which)} ${newest === null ? words : sql``}
    order by ${notifiedPerson(viewer, which) ? sql`own.page_id` : sql`p.id`} desc limit ${newest ?? which.limit}`;
  const found =
    newest === null
      ? pages
      : sql`select p.* from (${pages}) p where true ${words} order by p.id desc limit ${which.limit}`;
  const { rows } = await pagesAs(viewer.userId, found, sql`left(p.text, 300)`).execute(db);
  return rows;
}

function sourceOf(
  viewer: { organizationId: string; userId: string },
  which: ListedPages,
  among: readonly string[] | null,
): RawBuilder<unknown> {
  const person = notifiedPerson(viewer, which);
  if (person) return pagesThatNotified(person, which, among && idsOf(viewer.organizationId, among));
  if (which.state === 'open') return sql`${openPagesOf(viewer.organizationId)} p`;
  if (among === null) return sql`pages p`;
  return sql`(select * from pages where id = any(${idsOf(viewer.organizationId, among)})) p`;
}

/** These closed pages, and those that are in no index of words. */
function idsOf(organizationId: string, closed: readonly string[]): RawBuilder<unknown> {
  return sql`array(select unnest(${closed}::text[])
    union select id from pages where organization_id = ${organizationId} and state in ('notifying', 'acknowledged'))`;
}

/** The person whose pages are listed; null if it does not matter whom a page notified. */
function notifiedPerson(viewer: { userId: string }, { whose, person }: ListedPages): string | null {
  return whose ? viewer.userId : (person ?? null);
}

/**
 * Starts from the pages that notified the person, because other people may have had a million pages since. The
 * `limit 1` forces one look-up by key for each page; with a plain join, the planner also reads all other pages.
 */
function pagesThatNotified(
  userId: string,
  { before }: ListedPages,
  among: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  return sql`(
      select distinct page_id from responders
      where user_id = ${userId} ${before ? sql`and page_id < ${before}` : sql``}
        ${among ? sql`and page_id = any(${among})` : sql``} order by page_id desc
    ) own cross join lateral (select * from pages where id = own.page_id limit 1) p`;
}

function conditions(
  { organizationId }: { organizationId: string },
  { state, urgency, team, source, key_of, before, whose, person, from, to }: ListedPages,
): RawBuilder<unknown> {
  const parts: (RawBuilder<unknown> | null)[] = [
    state === 'open' && (whose || person) ? sql`and ${isOpen('p')}` : null,
    // A literal rather than a parameter, so that the planner can use the partial index on this state.
    state === 'open' || state === 'all' ? null : sql`and p.state = ${sql.lit(state)}`,
    urgency ? sql`and p.urgency = ${urgency}` : null,
    team ? sql`and p.team_id = ${team}` : null,
    source ? sql`and p.source_id = ${source}` : null,
    key_of
      ? sql`and p.dedup_key is not null and (p.dedup_scope, p.dedup_key) = (
          select k.dedup_scope, k.dedup_key from pages k where k.organization_id = ${organizationId} and k.id = ${key_of})`
      : null,
    before ? sql`and p.id < ${before}` : null,
    whose && person
      ? sql`and exists (select from responders r where r.page_id = p.id and r.user_id = ${person})`
      : null,
    from ? sql`and p.created_at >= ${from} and p.id >= ${idNear(from, -SKEW_MS)}` : null,
    to ? sql`and p.created_at < ${to} and p.id < ${idNear(to, SKEW_MS)}` : null,
  ];
  return sql.join(
    parts.filter((condition) => condition !== null),
    sql` `,
  );
}

/** More than the clocks of nodes and of the database can differ. */
const SKEW_MS = 3_600_000;
/** IDs contain 48-bit times from 1970 on. */
const LAST_MS = 2 ** 48 - 1;

/** IDs are in order of time, so a bound on them keeps the query from reading every other page. */
function idNear(at: string, byMs: number): string {
  const ms = Temporal.Instant.from(at).epochMilliseconds + byMs;
  return firstIdAt('page', Temporal.Instant.fromEpochMilliseconds(Math.min(Math.max(ms, 0), LAST_MS)));
}

/** A page of the organization as the viewer sees it, with its whole text; null if there is none. */
export async function findPage(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  pageId: string,
): Promise<PageWithRelation | null> {
  const page = sql`select p.* from pages p where p.organization_id = ${viewer.organizationId} and p.id = ${pageId}`;
  const { rows } = await pagesAs(viewer.userId, page, sql`p.text`).execute(db);
  return rows[0] ?? null;
}

const MOST_PAGES_IN_A_DAY = 100;
const MOST_MOMENTS = 10;
const MOST_SCHEDULES = 5;

/** Other pages of the page's dedup key, the moments that are linked with it, and the hand-offs whose notes list it. */
export async function findRelated(db: Handle, organizationId: string, pageId: string): Promise<PageRelated> {
  const ofKey = sql`from pages k where k.organization_id = p.organization_id and k.dedup_scope = p.dedup_scope
    and k.dedup_key = p.dedup_key and p.dedup_key is not null`;
  const pageOfKey = sql`jsonb_build_object('id', k.id, 'state', k.state, 'created_at', ${utcText('k.created_at')})`;
  const { rows } = await sql<PageRelated>`
    select
      (select ${pageOfKey} ${ofKey} and k.id < p.id order by k.id desc limit 1) as previous,
      (select ${pageOfKey} ${ofKey} and k.id > p.id order by k.id limit 1) as later,
      (select count(*)::int from (select 1 ${ofKey} and k.id <= p.id and k.created_at > p.created_at - interval '24 hours'
        order by k.id desc limit ${MOST_PAGES_IN_A_DAY}) day) as pages_in_a_day,
      coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'state', m.state) order by m.id desc)
        from (select m.id, m.name, m.state from moment_pages l join moments m on m.id = l.moment_id
          where l.page_id = p.id order by m.id desc limit ${MOST_MOMENTS}) m), '[]') as moments,
      coalesce((select jsonb_agg(jsonb_build_object('schedule', jsonb_build_object('id', s.id, 'name', s.name),
          'note', (select jsonb_build_object('id', n.id, 'at', ${utcText('n.at')}) from handoff_notes n
            where n.schedule_id = s.id and n.at > p.created_at order by n.at limit 1)) order by s.name, s.id)
        from (select s.id, s.name from schedules s where s.team_id = p.team_id and s.enabled
          order by s.name, s.id limit ${MOST_SCHEDULES}) s), '[]') as handoffs
    from pages p where p.organization_id = ${organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? { previous: null, later: null, pages_in_a_day: 0, moments: [], handoffs: [] };
}

/** All records about one page, oldest first. */
export async function findTimelineRows(
  db: Handle,
  organizationId: string,
  pageId: string,
): Promise<TimelineRows> {
  const { rows } = await sql<TimelineRows>`
    select p.request_id as "requestId",
      coalesce((
        select jsonb_agg(jsonb_build_object('at', ${utcText('e.at')}, 'kind', e.kind, 'userId', e.user_id, 'data', e.data) order by e.id)
        from page_events e where e.page_id = p.id), '[]') as events,
      coalesce((
        select jsonb_agg(jsonb_build_object('at', ${utcText('r.started_at')}, 'kind', r.kind, 'userId', r.user_id,
          'stage', r.stage, 'round', r.round, 'why', r.why) order by r.id)
        from responders r where r.page_id = p.id), '[]') as responders,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', d.id, 'userId', d.user_id, 'channel', d.channel, 'address', d.address,
          'state', d.state, 'dueAt', ${utcText('d.due_at')}, 'repeat', d.repeat, 'bundledInto', d.bundled_into,
          'receipt', d.receipt, 'receiptAt', ${utcText('d.receipt_at')}, 'error', d.error, 'finishedAt', ${utcText('d.finished_at')},
          'attempts', coalesce((
            select jsonb_agg(jsonb_build_object('attempt', t.attempt, 'begunAt', ${utcText('t.begun_at')}, 'endedAt', ${utcText('t.ended_at')},
              'outcome', t.outcome, 'providerId', t.provider_id, 'error', t.error) order by t.attempt)
            from delivery_attempts t where t.delivery_id = d.id), '[]'),
          'allClear', (select jsonb_build_object('at', ${utcText('c.sent_at')}, 'state', c.state, 'error', c.error)
            from all_clears c where c.delivery_id = d.id and c.sent_at is not null)) order by d.id)
        from deliveries d where d.page_id = p.id), '[]') as deliveries
    from pages p where p.organization_id = ${organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? { requestId: '', events: [], responders: [], deliveries: [] };
}

/** People of an organization by the given ids or email addresses, without those who are disabled or unknown. */
export async function peopleByIdOrAddress(
  db: Handle,
  organizationId: string,
  given: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await sql<{ given: string; id: string; name: string }>`
    select given.name as given, u.id, u.name from unnest(${given}::text[]) with ordinality as given(name, place)
    join users u on u.id = given.name or lower(u.email) = lower(given.name)
    where u.organization_id = ${organizationId} and u.disabled_at is null order by given.place`.execute(db);
  return new Map(rows.map(({ given, ...person }) => [given, person]));
}

export type FormerPage = {
  kind: 'team' | 'person';
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  drill: boolean;
  state: PageState;
  /** The current slug of the team, or email address of the person. */
  recipient: string;
  /** The last page that repeats it, if any. */
  again: { id: string; requestId: string; state: PageState; by: Person | null } | null;
};

/** A page of the organization, with the fields needed to raise it again. */
export async function findFormerPage(
  db: Handle,
  organizationId: string,
  pageId: string,
): Promise<FormerPage | null> {
  const { rows } = await sql<FormerPage>`
    select p.kind, p.title, p.text, p.source_url as "sourceUrl", p.urgency, p.drill, p.state,
      coalesce(t.slug, u.email) as recipient,
      (
        select jsonb_build_object('id', n.id, 'requestId', n.request_id, 'state', n.state, 'by', ${personJson('r')})
        from pages_again a join pages n on n.id = a.page_id left join users r on r.id = n.raised_by
        where a.former_page_id = p.id order by a.raised_at desc, a.page_id desc limit 1
      ) as again
    from pages p left join teams t on t.id = p.team_id left join users u on u.id = p.user_id
    where p.organization_id = ${organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Whether a page `p` has these words, given for `to_tsquery`. It matches `pages_all_words`; names such as
 * db-1.example.com are split as in moments.
 */
function hasWords(words: string): RawBuilder<boolean> {
  return sql<boolean>`to_tsvector('simple', translate(p.title || ' ' || p.text, './\\:@_=&?#%+~-<>', '                '))
    @@ to_tsquery('simple', ${words})`;
}

/**
 * The ids of all closed pages, of any organization, that have these words, if there are few; null if there are many.
 * Open pages are not in the index, so that raising one costs nothing.
 */
export function findRarePages(db: Database, words: string): Promise<string[] | null> {
  return findRare(
    db,
    sql`select p.id from pages p where p.state in ('resolved', 'expired') and ${hasWords(words)}`,
  );
}

/** A shadow without a notice of an open page of which the person on call has been notified. */
export type ShadowedPage = {
  organizationId: string;
  pageId: string;
  title: string;
  userId: string;
  mentor: string;
  schedule: string;
};

/** At most `limit`, oldest page first. People whom the page itself notifies are left out. */
export async function shadowedPages(db: Handle, limit: number): Promise<ShadowedPage[]> {
  const { rows } = await sql<ShadowedPage>`
    select p.organization_id as "organizationId", p.id as "pageId", p.title, w.user_id as "userId",
      min(mentor.name) as mentor, min(s.name) as schedule
    from schedules s cross join ${shadowsIn('s')} w
    join pages p on p.organization_id = s.organization_id and p.team_id = s.team_id
      and p.state in ('notifying', 'acknowledged')
    join responders r on r.page_id = p.id and r.kind = 'stage'
    join shifts h on h.schedule_id = s.id and h.user_id = r.user_id
      and tstzrange(h.starts_at, h.ends_at) @> r.started_at
    join users mentor on mentor.id = r.user_id
    where s.enabled and s.planning ? 'shadows' and ${learnsFrom('w', 'h')}
      and w.starts_at <= r.started_at and w.ends_at > r.started_at
      and not exists (select from responders own where own.page_id = p.id and own.user_id = w.user_id)
      and not exists (select from notices n where n.user_id = w.user_id and n.dedup_key = 'shadow ' || p.id)
    group by p.organization_id, p.id, p.title, w.user_id
    order by p.id, w.user_id limit ${limit}`.execute(db);
  return rows;
}
