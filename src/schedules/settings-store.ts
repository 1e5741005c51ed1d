import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { utcText } from '../db/utc-text.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/person-store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-relation-store.ts';
import type { LayerDefinition } from './definition.ts';
import { nextGap, stagesAt } from './now-store.ts';
import type { Pattern } from './pattern.ts';
import type { ScheduleListed } from './settings-contract.ts';

type Viewer = { organizationId: string; userId: string };

/** Every schedule, enabled or not, those of the viewer's teams first. */
export async function listScheduleOverview(
  db: Handle,
  viewer: Viewer,
  at: Temporal.Instant,
): Promise<Omit<ScheduleListed, 'reachable'>[]> {
  const { rows } = await sql<Omit<ScheduleListed, 'reachable'>>`
    select s.id, s.name, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team, s.enabled, s.time_zone,
      exists (select from team_members m where m.team_id = t.id and m.user_id = ${viewer.userId}) as mine,
      (select ${personJson('b')} from users b where b.id = s.backstop_user_id and b.disabled_at is null) as backstop,
      ${utcText('s.planned_until')} as planned_until,
      ${stagesAt(at)} as stages, ${nextGap(at)} as gap
    from schedules s join teams t on t.id = s.team_id
    where s.organization_id = ${viewer.organizationId}
    order by mine desc, lower(t.name), t.id, lower(s.name), s.id`.execute(db);
  return rows;
}

export type ShownStage = {
  stage: number;
  members: Person[];
  escalateAfterSeconds: number;
  seats: number;
  layers: LayerDefinition[] | null;
};

/** A schedule as stored, with names of people. */
export type ShownSchedule = {
  id: string;
  name: string;
  team: { id: string; name: string; slug: string };
  relation: TeamRelation;
  description: string | null;
  enabled: boolean;
  timeZone: string;
  backstop: Person | null;
  strategy: 'fair' | 'rotation';
  planAheadWeeks: number;
  restHours: number;
  cover: 'propose' | 'apply';
  acknowledgeTimeoutMinutes: number;
  askAgainMediumMinutes: number;
  askAgainLowMinutes: number;
  pattern: Pattern;
  holidays: 'weight' | 'uncovered';
  /** As stored; null for the usual rules. */
  planning: unknown;
  stages: ShownStage[];
  plannedUntil: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
};

export async function findSchedule(db: Handle, viewer: Viewer, id: string): Promise<ShownSchedule | null> {
  const { rows } = await sql<ShownSchedule>`
    select s.id, s.name, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      ${relationJson('m')} as relation,
      s.description, s.enabled, s.time_zone as "timeZone", s.strategy, s.plan_ahead_weeks as "planAheadWeeks",
      s.rest_hours as "restHours", s.cover, s.acknowledge_timeout_minutes as "acknowledgeTimeoutMinutes",
      s.ask_again_medium_minutes as "askAgainMediumMinutes", s.ask_again_low_minutes as "askAgainLowMinutes", s.holiday_use as holidays, s.planning, s.pattern, s.planned_until as "plannedUntil",
      s.created_at as "createdAt", s.updated_at as "updatedAt",
      (select ${personJson('b')} from users b where b.id = s.backstop_user_id) as backstop,
      coalesce((
        select jsonb_agg(jsonb_build_object('stage', st.stage, 'escalateAfterSeconds', st.escalate_after_seconds,
          'seats', st.seats, 'layers', st.layers, 'members', coalesce((
            select jsonb_agg(${personJson('u')} order by sm.position, u.id)
            from stage_members sm join users u on u.id = sm.user_id
            where sm.schedule_id = s.id and sm.stage = st.stage and u.disabled_at is null), '[]')) order by st.stage)
        from schedule_stages st where st.schedule_id = s.id), '[]') as stages
    from schedules s join teams t on t.id = s.team_id
    left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where s.organization_id = ${viewer.organizationId} and s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Those ids that belong to people of the organization who can be on call. */
export async function activePeople(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where organization_id = ${organizationId} and disabled_at is null and id = any(${ids}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether another schedule of the organization has this name. */
export async function nameIsTaken(
  db: Handle,
  organizationId: string,
  name: string,
  exceptId: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from schedules where organization_id = ${organizationId} and name = ${name}
      and id is distinct from ${exceptId}`.execute(db);
  return rows.length > 0;
}

export async function organizationZone(db: Handle, organizationId: string): Promise<string> {
  const row = await db
    .selectFrom('organizations')
    .select('time_zone')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.time_zone;
}
