import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/person-store.ts';
import type { WithheldLine } from './api-contract.ts';
import type { PageScope, Range } from './page-store.ts';

const MOST_WINDOWS = 500;

/** The windows that held back a page whose last event is within the period, the most events first. */
export async function listWithheld(
  db: Handle,
  { organizationId, teamId }: Pick<PageScope, 'organizationId' | 'teamId'>,
  { from, to }: Range,
): Promise<WithheldLine[]> {
  const { rows } = await sql<WithheldLine>`
    with caught as materialized (
      select window_id, count(distinct starts_at)::int as occurrences, count(*)::int as alerts,
        sum(events)::int as events, min(first_at) as first_at, max(last_at) as last_at
      from window_events
      where organization_id = ${organizationId} and last_at >= ${from} and last_at < ${to} group by window_id
    )
    select jsonb_build_object('id', w.id, 'name', w.name, 'silence', w.silence, 'effect', w.effect) as window,
      jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      case when s.id is null then null else jsonb_build_object('id', s.id, 'name', s.name) end as source,
      ${personJson('owner')} as owner, c.occurrences, c.alerts, c.events,
      ${utcText('c.first_at')} as first_at, ${utcText('c.last_at')} as last_at
    from caught c
    join maintenance_windows w on w.id = c.window_id
    join teams t on t.id = w.team_id
    left join webhooks s on s.id = w.source_id
    left join users owner on owner.id = w.created_by
    where (${teamId}::text is null or w.team_id = ${teamId})
    order by c.events desc, w.id limit ${MOST_WINDOWS}`.execute(db);
  return rows;
}
