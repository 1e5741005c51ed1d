import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { PageAsking } from './fairness.ts';
import type { PageFacts } from './responses.ts';

export type Range = { from: Temporal.Instant; to: Temporal.Instant };
export type PageScope = {
  organizationId: string;
  teamId: string | null;
  /** Only pages that notified people because of this schedule. */
  scheduleName: string | null;
};

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/** The first acknowledgement, also of pages that notified people again later. */
const FIRST = {
  by: sql.raw(
    'case when p.first_acknowledged_at is null then p.acknowledged_by else p.first_acknowledged_by end',
  ),
  at: ms('coalesce(p.first_acknowledged_at, p.acknowledged_at)'),
};

/** Who was notified of pages in a period, without drills and without notifications that a page expired. */
export async function listAskings(db: Handle, scope: PageScope, range: Range): Promise<PageAsking[]> {
  const { rows } = await sql<PageAsking>`
    select r.user_id as "userId", r.page_id as "pageId", ${ms('r.started_at')} as at, p.urgency,
      r.kind = 'backstop' as "asBackstop", ${FIRST.by} as "acknowledgedBy", ${FIRST.at} as "acknowledgedAt"
    ${askings(scope, range)}`.execute(db);
  return rows;
}

export type SourceRow = Pick<PageAsking, 'userId' | 'pageId' | 'at' | 'urgency'> & { source: string };

/** The same with the origin of the pages: the page source, else the host that they link to, else the person who raised them. */
export async function listSources(db: Handle, scope: PageScope, range: Range): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select r.user_id as "userId", r.page_id as "pageId", ${ms('r.started_at')} as at, p.urgency,
      coalesce(w.name, lower(substring(p.source_url from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)')), raiser.name,
        'somebody who left') as source
    ${askings(scope, range, sql`left join webhooks w on w.id = p.source_id left join users raiser on raiser.id = p.raised_by`)}`.execute(
    db,
  );
  return rows;
}

/** Pages raised in a period, without drills, and how they were answered. */
export async function listPages(db: Handle, scope: PageScope, range: Range): Promise<PageFacts[]> {
  const { rows } = await sql<PageFacts>`
    select ${ms('p.created_at')} as at, p.urgency, ${FIRST.at} as "acknowledgedAt",
      p.expired_at is not null as expired
    from pages p
    where p.organization_id = ${scope.organizationId} and not p.drill
      and p.created_at >= ${range.from} and p.created_at < ${range.to} ${ofTeam(scope)}
      and (${scope.scheduleName}::text is null or exists (select from responders r
        where r.page_id = p.id and r.why ->> 'schedule' = ${scope.scheduleName}))`.execute(db);
  return rows;
}

function askings(scope: PageScope, range: Range, joins: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
    from responders r join pages p on p.id = r.page_id ${joins}
    where r.organization_id = ${scope.organizationId} and r.kind <> 'expired' and not p.drill
      and r.started_at >= ${range.from} and r.started_at < ${range.to} ${ofTeam(scope)}
      and (${scope.scheduleName}::text is null or r.why ->> 'schedule' = ${scope.scheduleName})`;
}

function ofTeam({ teamId }: PageScope): RawBuilder<unknown> {
  return teamId === null ? sql`` : sql`and p.team_id = ${teamId}`;
}
