import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/store.ts';
import type { MomentDetail, MomentSummary } from './api-contract.ts';
import type { MomentState } from './contract.ts';

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
 * Newest first. `among` comes from `findRareMoments`, so that the cost does not grow with the number of moments. @param
 * newest reads at most this many of the moments that match the other conditions
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
      ? answeredBy(filter, sql`${organization} ${found(filter)} ${placed(filter)}`)
      : sql`(select * from moments m where ${organization} ${placed(filter)} order by m.id desc limit ${newest})`;
  const { rows } = await sql<ListedMoment>`
    ${listedAs(viewer, sql``, some)} ${found(filter)}
      ${newest === null ? placed(filter) : sql``}
    order by m.id desc limit ${filter.limit}`.execute(db);
  return rows;
}

/** The moments of a person, from one index for those acknowledged and one for those resolved; all moments without a person. */
function answeredBy({ personId, limit }: MomentFilter, conditions: RawBuilder<unknown>): RawBuilder<unknown> {
  if (personId === null) return sql`moments`;
  const first = (isTheirs: RawBuilder<unknown>) =>
    sql`(select * from moments m where ${isTheirs} and ${conditions} order by m.id desc limit ${limit})`;
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

/** The conditions that indexes ordered by id can serve. States are literals, because some have an index of their own. */
function placed({ states, teamId, webhookId, from, to, before }: MomentFilter): RawBuilder<unknown> {
  const unresolved = states !== null && !states.includes('resolved');
  return sql`
      ${unresolved ? sql`and m.state <> 'resolved'` : sql``}
      ${states === null ? sql`` : sql`and m.state in (${sql.join(states.map((state) => sql.lit(state)))})`}
      ${when(teamId, sql`and m.team_id = ${teamId}`)}
      ${when(webhookId, sql`and m.webhook_id = ${webhookId}`)}
      ${when(from, sql`and m.occurred_at >= ${from}`)}
      ${when(to, sql`and m.occurred_at < ${to}`)}
      ${when(before, sql`and m.id < ${before}`)}`;
}

function when(value: unknown, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return value === null ? sql`` : condition;
}

export type WholeMoment = ListedMoment & { description: string | null };

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
