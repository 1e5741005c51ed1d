import { sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';

/** Team of a slug and whether anybody could ever be reached through it. */
export type TeamTarget = { id: string; name: string; hasSchedule: boolean; reachable: boolean };

export async function findTeamTarget(
  db: Handle,
  organizationId: string,
  slug: string,
): Promise<TeamTarget | null> {
  const { rows } = await sql<TeamTarget>`
    with team as (
      select id, name from teams where organization_id = ${organizationId} and lower(slug) = lower(${slug})
    ), people as (
      select user_id from team_members where team_id in (select id from team)
      union select m.user_id from stage_members m join schedules s on s.id = m.schedule_id
        where s.enabled and s.team_id in (select id from team)
      union select s.backstop_user_id from schedules s where s.enabled and s.team_id in (select id from team)
    )
    select id, name,
      exists (select from schedules s where s.team_id = team.id and s.enabled) as "hasSchedule",
      exists (
        select from people p join users u on u.id = p.user_id and u.disabled_at is null
        where exists (select from contact_methods c where c.user_id = u.id and c.verified_at is not null)
          or exists (select from open_dashboards o where o.user_id = u.id)
      ) as reachable
    from team`.execute(db);
  return rows[0] ?? null;
}

export type PersonTarget = { id: string; name: string; reachable: boolean };

export async function findPersonTarget(
  db: Handle,
  organizationId: string,
  email: string,
): Promise<PersonTarget | null> {
  const { rows } = await sql<PersonTarget>`
    select u.id, u.name,
      exists (select from contact_methods c where c.user_id = u.id and c.verified_at is not null)
        or exists (select from open_dashboards o where o.user_id = u.id) as reachable
    from users u
    where u.organization_id = ${organizationId} and lower(u.email) = lower(${email}) and u.disabled_at is null`.execute(
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
