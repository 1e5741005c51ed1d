import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { TeamRelation } from './team-policy.ts';

/** The relation of a person to a team, from a row of `team_members` that was left-joined as `alias`. */
export function relationJson(alias: string): RawBuilder<TeamRelation> {
  return sql.raw(
    `jsonb_build_object('member', ${alias}.user_id is not null, 'manager', coalesce(${alias}.role = 'manager', false))`,
  );
}

/** A team and the viewer's relation to it. */
export type TeamOfViewer = { id: string; name: string; slug: string; relation: TeamRelation };

/** A team of the viewer's organization by its slug or id. An id comes before the slug of another team. */
export async function findTeamOfViewer(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  slugOrId: string,
): Promise<TeamOfViewer | null> {
  const { rows } = await sql<TeamOfViewer>`
    select t.id, t.name, t.slug, ${relationJson('m')} as relation
    from teams t left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where t.organization_id = ${viewer.organizationId} and (t.id = ${slugOrId} or lower(t.slug) = lower(${slugOrId}))
    order by t.id = ${slugOrId} desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** All teams of the viewer's organization, by name. */
export async function listTeamsOfViewer(
  db: Handle,
  viewer: { organizationId: string; userId: string },
): Promise<TeamOfViewer[]> {
  const { rows } = await sql<TeamOfViewer>`
    select t.id, t.name, t.slug, ${relationJson('m')} as relation
    from teams t left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where t.organization_id = ${viewer.organizationId}
    order by lower(t.name), t.id`.execute(db);
  return rows;
}
