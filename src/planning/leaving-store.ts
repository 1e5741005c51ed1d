import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import type { Leaving } from '../people/person-contract.ts';

/** Removes a person from all stages, from overrides that are not over, and as backstop. */
export async function leaveSchedules(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('stage_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  await db
    .deleteFrom('overrides')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('ends_at', '>', at)
    .execute();
  await db
    .updateTable('schedules')
    .set({ backstop_user_id: null, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('backstop_user_id', '=', userId)
    .execute();
}

/** Schedules that a person belongs to through a stage, a shift that is not over, or an override that is not over. */
export async function schedulesOf(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from schedules s where organization_id = ${organizationId} and (
      exists (select from stage_members m where m.schedule_id = s.id and m.user_id = ${userId})
      or exists (select from overrides o where o.schedule_id = s.id and o.user_id = ${userId} and o.ends_at > ${at})
      or exists (select from shifts h where h.schedule_id = s.id and h.user_id = ${userId} and h.ends_at > ${at}))
    order by id`.execute(db);
  return rows;
}

/** What disabling a person would affect. */
export async function readLeaving(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<Omit<Leaving, 'shifts_changed' | 'schedules'>> {
  const { rows } = await sql<Omit<Leaving, 'shifts_changed' | 'schedules'>>`
    select
      (select count(*)::int from shifts h join schedules s on s.id = h.schedule_id and s.enabled
        where h.user_id = u.id and h.ends_at > ${at}) as shifts_ahead,
      array(select s.name from schedules s where s.backstop_user_id = u.id order by s.name) as backstop_of,
      array(select s.name || ', stage ' || trim_scale(m.stage) from stage_members m join schedules s on s.id = m.schedule_id
        where m.user_id = u.id order by s.name, m.stage) as stages,
      array(select t.name from team_members m join teams t on t.id = m.team_id where m.user_id = u.id order by t.name) as teams,
      (select count(*)::int from api_keys k where k.user_id = u.id and k.revoked_at is null) as api_keys
    from users u where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  const [leaving] = rows;
  return leaving ?? { shifts_ahead: 0, backstop_of: [], stages: [], teams: [], api_keys: 0 };
}
