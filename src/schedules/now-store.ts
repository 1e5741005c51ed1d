import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import { personJson } from '../people/person-store.ts';
import type { OwnShift, ScheduleNow, TeamNow } from './api-contract.ts';

/** A team as read from the database; `withReach` adds who can be reached. */
type TeamRead = Omit<TeamNow, 'schedules'> & { schedules: Omit<ScheduleNow, 'reachable'>[] };

/** Every team of the organization with its enabled schedules, the viewer's own teams first. */
export async function teamsNow(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  at: Temporal.Instant,
): Promise<TeamRead[]> {
  const { rows } = await sql<TeamRead>`
    select t.id, t.name, t.slug,
      exists (select from team_members m where m.team_id = t.id and m.user_id = ${viewer.userId}) as mine,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name,
          'backstop', (select ${personJson('b')} from users b where b.id = s.backstop_user_id and b.disabled_at is null),
          'stages', ${stagesAt(at)}, 'gap', ${nextGap(at)}) order by s.name, s.id)
        from schedules s where s.team_id = t.id and s.enabled), '[]') as schedules
    from teams t where t.organization_id = ${viewer.organizationId}
    order by mine desc, lower(t.name), t.id`.execute(db);
  return rows;
}

export function stagesAt(at: Temporal.Instant) {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('stage', st.stage,
      'now', coalesce((
        select jsonb_agg(jsonb_build_object('person', ${personJson('u')}, 'starts_at', ${utcText('h.starts_at')}, 'ends_at', ${utcText('h.ends_at')},
          'away', exists (select from availabilities a where a.user_id = u.id and a.type = 'hard_unavailable'
            and a.starts_at <= ${at} and a.ends_at > ${at})) order by h.seat)
        from shifts h join users u on u.id = h.user_id and u.disabled_at is null
        where h.schedule_id = s.id and h.stage = st.stage and tstzrange(h.starts_at, h.ends_at) @> ${at}::timestamptz), '[]'),
      'next', (
        select jsonb_build_object('person', case when u.id is null then null else ${personJson('u')} end, 'starts_at', ${utcText('h.starts_at')})
        from shifts h left join users u on u.id = h.user_id and u.disabled_at is null
        where h.schedule_id = s.id and h.stage = st.stage and h.starts_at > ${at}
          and tstzrange(h.starts_at, h.ends_at) && tstzrange(${at}, ${at}::timestamptz + interval '90 days')
        order by h.starts_at, h.seat limit 1)) order by st.stage)
    from schedule_stages st where st.schedule_id = s.id), '[]')`;
}

export function nextGap(at: Temporal.Instant) {
  return sql`(
    select jsonb_build_object('stage', h.stage, 'starts_at', ${utcText('h.starts_at')}, 'ends_at', ${utcText('h.ends_at')})
    from shifts h where h.schedule_id = s.id and h.user_id is null
      and tstzrange(h.starts_at, h.ends_at) && tstzrange(${at}, ${at}::timestamptz + interval '14 days')
    order by h.starts_at, h.stage limit 1)`;
}

/** The shifts of one person that are not over, soonest first. */
export async function ownShifts(
  db: Handle,
  viewer: { organizationId: string; userId: string },
  at: Temporal.Instant,
  limit: number,
): Promise<OwnShift[]> {
  const { rows } = await sql<OwnShift>`
    select jsonb_build_object('id', s.id, 'name', s.name) as schedule, jsonb_build_object('id', t.id, 'name', t.name) as team,
      h.stage, ${utcText('h.starts_at')} as starts_at, ${utcText('h.ends_at')} as ends_at
    from shifts h join schedules s on s.id = h.schedule_id and s.enabled join teams t on t.id = s.team_id
    where h.organization_id = ${viewer.organizationId} and h.user_id = ${viewer.userId}
      and h.starts_at > ${at}::timestamptz - interval '90 days' and h.ends_at > ${at}
    order by h.starts_at, h.stage limit ${limit}`.execute(db);
  return rows;
}
