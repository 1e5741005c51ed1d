import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Person } from '../people/contract.ts';
import type { PageListQuery, PageSummary } from './api-contract.ts';
import type { Relation } from './policy.ts';
import type { TimelineRows } from './timeline.ts';

const WIRE_TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

function wire(column: string): RawBuilder<string> {
  return sql.raw(`to_char(${column} at time zone 'UTC', ${WIRE_TIME})`);
}

/** A joined user as JSON; null when there is none. */
function person(alias: string): RawBuilder<unknown> {
  return sql.raw(
    `case when ${alias}.id is null then null else jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'email', ${alias}.email) end`,
  );
}

export type PageWithRelation = Omit<PageSummary, 'mine' | 'may_act'> & { relation: Relation };

function pagesAs(viewerId: string, text: RawBuilder<unknown>): RawBuilder<PageWithRelation> {
  return sql<PageWithRelation>`
    select p.id, p.kind, p.title, ${text} as text, p.urgency, p.state, p.round, p.source_url,
      case when t.id is null then null else jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) end as team,
      ${person('u')} as person, ${person('raiser')} as raised_by, ${wire('p.created_at')} as created_at,
      ${wire('p.acknowledged_at')} as acknowledged_at, ${person('a')} as acknowledged_by, p.acknowledged_via,
      ${wire('p.resolved_at')} as resolved_at, ${person('s')} as resolved_by, ${wire('p.expired_at')} as expired_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('person', ${person('asked')}, 'as', r.kind, 'stage', r.stage,
          'at', ${wire('r.started_at')}) order by r.id)
        from responders r join users asked on asked.id = r.user_id
        where r.page_id = p.id and r.round = p.round and r.kind <> 'expired'), '[]') as asked,
      coalesce((
        select jsonb_agg(jsonb_build_object('channel', channel, 'state', state) order by first)
        from (
          select d.channel, min(d.created_at) as first, (array_agg(d.state order by
            array_position(array['delivered', 'accepted', 'sending', 'retrying', 'failed', 'bundled', 'waiting', 'cancelled'], d.state)))[1] as state
          from deliveries d where d.page_id = p.id and d.type = 'page.notification' group by d.channel
        ) best), '[]') as channels,
      (
        select jsonb_build_object('at', ${wire('n.due_at')}, 'kind', n.kind, 'stage', n.stage, 'round', n.round)
        from page_steps n where n.page_id = p.id and n.state = 'due' order by n.due_at limit 1) as next,
      jsonb_build_object(
        'ofTheTeam', exists (select from team_members m where m.team_id = p.team_id and m.user_id = ${viewerId}),
        'asked', exists (select from responders r where r.page_id = p.id and r.user_id = ${viewerId} and r.kind <> 'expired')
      ) as relation
    from pages p
    left join teams t on t.id = p.team_id
    left join users u on u.id = p.user_id
    left join users raiser on raiser.id = p.raised_by
    left join users a on a.id = p.acknowledged_by
    left join users s on s.id = p.resolved_by`;
}

/** Newest first; `before` is the id of a page, null for the newest of all. */
export async function listPages(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  which: PageListQuery,
): Promise<PageWithRelation[]> {
  // Which ones comes first: the planner would otherwise gather what belongs to thousands that are not shown.
  const { rows } = await sql<PageWithRelation>`
    with chosen as materialized (
      select p.id from pages p
      where p.organization_id = ${viewer.organizationId} ${conditions(viewer.userId, which)}
      order by p.id desc limit ${which.limit})
    ${pagesAs(viewer.userId, sql`left(p.text, 300)`)}
    where p.id in (select id from chosen)
    order by p.id desc`.execute(db);
  return rows;
}

function conditions(viewerId: string, which: PageListQuery): RawBuilder<unknown> {
  const { state, urgency, team, whose, text, before } = which;
  const said: (RawBuilder<unknown> | null)[] = [
    state === 'open' ? sql`and p.state in ('notifying', 'acknowledged')` : null,
    state === 'open' || state === 'all' ? null : sql`and p.state = ${state}`,
    urgency ? sql`and p.urgency = ${urgency}` : null,
    team ? sql`and p.team_id = ${team}` : null,
    whose
      ? sql`and exists (select from responders r where r.page_id = p.id and r.user_id = ${viewerId})`
      : null,
    text?.trim() ? sql`and (p.title || ' ' || p.text) ilike ${containing(text.trim())}` : null,
    before ? sql`and p.id < ${before}` : null,
  ];
  return sql.join(
    said.filter((condition) => condition !== null),
    sql` `,
  );
}

/** A pattern of LIKE that finds exactly this text. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

export async function findPage(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  pageId: string,
): Promise<PageWithRelation | null> {
  const { rows } = await sql<PageWithRelation>`
    ${pagesAs(viewer.userId, sql`p.text`)}
    where p.organization_id = ${viewer.organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? null;
}

/** Everything that is written down about one page, oldest first. */
export async function findTimelineRows(
  db: Handle,
  organizationId: string,
  pageId: string,
): Promise<TimelineRows> {
  const { rows } = await sql<TimelineRows>`
    select p.request_id as "requestId",
      coalesce((
        select jsonb_agg(jsonb_build_object('at', ${wire('e.at')}, 'kind', e.kind, 'userId', e.user_id, 'data', e.data) order by e.id)
        from page_events e where e.page_id = p.id), '[]') as events,
      coalesce((
        select jsonb_agg(jsonb_build_object('at', ${wire('r.started_at')}, 'kind', r.kind, 'userId', r.user_id,
          'stage', r.stage, 'round', r.round, 'why', r.why) order by r.id)
        from responders r where r.page_id = p.id), '[]') as responders,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', d.id, 'userId', d.user_id, 'channel', d.channel, 'address', d.address,
          'state', d.state, 'dueAt', ${wire('d.due_at')}, 'repeat', d.repeat, 'bundledInto', d.bundled_into,
          'receipt', d.receipt, 'receiptAt', ${wire('d.receipt_at')}, 'error', d.error, 'finishedAt', ${wire('d.finished_at')},
          'attempts', coalesce((
            select jsonb_agg(jsonb_build_object('attempt', t.attempt, 'begunAt', ${wire('t.begun_at')}, 'endedAt', ${wire('t.ended_at')},
              'outcome', t.outcome, 'providerId', t.provider_id, 'error', t.error) order by t.attempt)
            from delivery_attempts t where t.delivery_id = d.id), '[]')) order by d.id)
        from deliveries d where d.page_id = p.id), '[]') as deliveries
    from pages p where p.organization_id = ${organizationId} and p.id = ${pageId}`.execute(db);
  return rows[0] ?? { requestId: '', events: [], responders: [], deliveries: [] };
}

export async function findPersons(
  db: Handle,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, Person>> {
  const { rows } = await sql<Person>`
    select id, name, email from users where organization_id = ${organizationId} and id = any(${userIds}::text[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** People who may be asked, by their id or email address as given; who is missing is not to be had. */
export async function findAskable(
  db: Handle,
  organizationId: string,
  given: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; id: string }>`
    select given.name, u.id from unnest(${given}::text[]) as given(name)
    join users u on u.id = given.name or lower(u.email) = lower(given.name)
    where u.organization_id = ${organizationId} and u.disabled_at is null`.execute(db);
  return new Map(rows.map((row) => [row.name, row.id]));
}
