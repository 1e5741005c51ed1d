import { type Selectable, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Schedules } from '../db/schema.ts';
import { utcText } from '../db/utc-text.ts';
import type { EventTopic } from '../notices/contract.ts';
import type { Person } from '../people/contract.ts';
import { personJson } from '../people/store.ts';
import type { TeamRelation } from '../people/team-policy.ts';
import { relationJson } from '../people/team-store.ts';
import type { LayerDefinition, ScheduleDefinition, StageDefinition, StoredOverride } from './definition.ts';
import type { LinkedSchedule } from './linked-stages.ts';
import { type Pattern, storedPattern, type Version } from './pattern.ts';
import { nextGap, stagesAt } from './read-store.ts';
import { storedRules } from './rules.ts';
import type { ScheduleListed, ScheduleSettings, StageSettings } from './settings-contract.ts';

export type StoredSchedule = Omit<ScheduleDefinition, 'overrides'> & {
  id: string;
  overrides: StoredOverride[];
};

/** The schedule of that name with its stages and overrides; its row stays locked until the transaction ends. */
export async function lockSchedule(
  tx: Tx,
  organizationId: string,
  name: string,
): Promise<StoredSchedule | null> {
  return storedSchedule(tx, await lockedRows(tx, organizationId).where('name', '=', name).executeTakeFirst());
}

/**
 * Like `lockSchedule`, by id. The schedules to which its stages are linked, and `targets`, are kept from being changed. All
 * are locked in the order of their ids, as everywhere, so that two transactions cannot deadlock.
 */
export async function lockScheduleWithLinks(
  tx: Tx,
  organizationId: string,
  id: string,
  targets: readonly string[],
): Promise<StoredSchedule | null> {
  const linked = (await stagesOf(tx, id)).flatMap((stage) => stage.linkedTo?.scheduleId ?? []);
  const others = [...linked, ...targets].filter((other) => other !== id);
  await keepSchedules(
    tx,
    organizationId,
    others.filter((other) => other < id),
  );
  const schedule = await lockScheduleById(tx, organizationId, id);
  await keepSchedules(
    tx,
    organizationId,
    others.filter((other) => other > id),
  );
  return schedule;
}

async function lockScheduleById(tx: Tx, organizationId: string, id: string): Promise<StoredSchedule | null> {
  return storedSchedule(tx, await lockedRows(tx, organizationId).where('id', '=', id).executeTakeFirst());
}

function lockedRows(tx: Tx, organizationId: string) {
  return tx.selectFrom('schedules').selectAll().where('organization_id', '=', organizationId).forUpdate();
}

async function storedSchedule(
  tx: Tx,
  row: Selectable<Schedules> | undefined,
): Promise<StoredSchedule | null> {
  if (!row) return null;
  return {
    id: row.id,
    name: row.name,
    teamId: row.team_id,
    description: row.description,
    enabled: row.enabled,
    timeZone: row.time_zone,
    backstopUserId: row.backstop_user_id,
    strategy: row.strategy,
    planAheadWeeks: row.plan_ahead_weeks,
    restHours: row.rest_hours,
    cover: row.cover,
    rounds: row.rounds,
    acknowledgeTimeoutMinutes: row.acknowledge_timeout_minutes,
    askAgainMediumMinutes: row.ask_again_medium_minutes,
    askAgainLowMinutes: row.ask_again_low_minutes,
    holidays: row.holiday_use,
    planning: storedRules(row.planning),
    pattern: storedPattern(row.pattern).pattern,
    stages: await stagesOf(tx, row.id),
    overrides: await overridesOf(tx, row.id),
  };
}

async function stagesOf(db: Handle, scheduleId: string): Promise<StageDefinition[]> {
  const { rows } = await sql<StageDefinition & { layers: LayerDefinition[] | null }>`
    select stage, layers, escalate_after_seconds as "escalateAfterSeconds", seats, ${LINKED_TO} as "linkedTo",
      coalesce(array(
        select user_id::text from stage_members member
        where member.schedule_id = stages.schedule_id and member.stage = stages.stage
        order by position, user_id), '{}') as "memberIds"
    from schedule_stages stages where schedule_id = ${scheduleId} order by stage`.execute(db);
  return rows.map(({ layers, linkedTo, ...stage }) => ({
    ...stage,
    ...(layers && { layers: staying(layers, stage) }),
    ...(linkedTo && { linkedTo }),
  }));
}

const LINKED_TO = sql`case when linked_schedule_id is not null
  then jsonb_build_object('scheduleId', linked_schedule_id, 'stage', linked_stage) end`;

/** Drops people who are no longer members of the stage but are still stored in its layers. */
function staying(layers: readonly LayerDefinition[], { memberIds }: StageDefinition): LayerDefinition[] {
  return layers.map((layer) => ({
    ...layer,
    memberIds: layer.memberIds.filter((id) => memberIds.includes(id)),
  }));
}

/** Overrides from the operator's file only: those made in the dashboard are not changed by it. */
async function overridesOf(db: Handle, scheduleId: string): Promise<StoredOverride[]> {
  const rows = await db
    .selectFrom('overrides')
    .select(['id', 'stage', 'user_id as userId', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where('schedule_id', '=', scheduleId)
    .where('origin', '=', 'file')
    .orderBy('id')
    .execute();
  return rows;
}

export async function insertSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
  definition: ScheduleDefinition,
): Promise<void> {
  await tx
    .insertInto('schedules')
    .values({
      id,
      organization_id: organizationId,
      name: definition.name,
      ...settingsOf(definition),
      created_at: at,
      updated_at: at,
    })
    .execute();
}

export async function updateSchedule(
  tx: Tx,
  at: Temporal.Instant,
  id: string,
  definition: ScheduleDefinition,
): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ name: definition.name, ...settingsOf(definition), updated_at: at })
    .where('id', '=', id)
    .execute();
}

/**
 * The times of shift `h` of schedule `s` that count for pay, as rows `served(time)`. The first shift of a schedule starts at the
 * hand-off before the schedule was created, and a disabled schedule keeps its shifts. Only the time in which the schedule existed and
 * was enabled counts, because it paged nobody otherwise.
 */
export const SERVED_TIMES = sql`unnest(
  tstzmultirange(tstzrange(least(greatest(h.starts_at, s.created_at), h.ends_at), h.ends_at)) - s.disabled_times
    - case when s.enabled then '{}' else tstzmultirange(tstzrange(s.disabled_since, null)) end) as served(time)`;

/** Also deletes its shifts and overrides. A record of who was on call until now is kept for pay. */
export async function deleteSchedule(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  id: string,
): Promise<void> {
  await sql`
    insert into former_shifts (organization_id, user_id, schedule_name, stage, starts_at, ends_at)
    select h.organization_id, h.user_id, s.name, h.stage, lower(served.time), least(upper(served.time), ${at}::timestamptz)
    from shifts h join schedules s on s.id = h.schedule_id cross join lateral ${SERVED_TIMES}
    where h.organization_id = ${organizationId} and h.schedule_id = ${id} and h.user_id is not null
      and lower(served.time) < ${at}::timestamptz`.execute(tx);
  await tx
    .deleteFrom('schedules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

function settingsOf(definition: ScheduleDefinition) {
  return {
    team_id: definition.teamId,
    description: definition.description,
    enabled: definition.enabled,
    time_zone: definition.timeZone,
    backstop_user_id: definition.backstopUserId,
    strategy: definition.strategy,
    plan_ahead_weeks: definition.planAheadWeeks,
    rest_hours: definition.restHours,
    cover: definition.cover,
    ...(definition.rounds === undefined ? {} : { rounds: definition.rounds }),
    ...(definition.acknowledgeTimeoutMinutes === undefined
      ? {}
      : { acknowledge_timeout_minutes: definition.acknowledgeTimeoutMinutes }),
    ...(definition.askAgainMediumMinutes === undefined
      ? {}
      : { ask_again_medium_minutes: definition.askAgainMediumMinutes }),
    ...(definition.askAgainLowMinutes === undefined
      ? {}
      : { ask_again_low_minutes: definition.askAgainLowMinutes }),
    ...(definition.holidays ? { holiday_use: definition.holidays } : {}),
    ...(definition.planning ? { planning: JSON.stringify(definition.planning) } : {}),
    pattern: JSON.stringify(definition.pattern),
  };
}

/** Replaces the stages and their members. People who stay in a stage keep their `joined_at`. */
export async function saveStages(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  stages: readonly StageDefinition[],
): Promise<void> {
  const rows = JSON.stringify(stages);
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${rows}::jsonb) as t(
        stage numeric, "escalateAfterSeconds" integer, seats integer, layers jsonb, "linkedTo" jsonb)
    ), gone as (
      delete from schedule_stages
      where schedule_id = ${scheduleId} and stage not in (select stage from wanted)
    )
    insert into schedule_stages (organization_id, schedule_id, stage, escalate_after_seconds, seats, layers,
      linked_schedule_id, linked_stage)
    select ${organizationId}, ${scheduleId}, stage, "escalateAfterSeconds", seats, layers,
      "linkedTo"->>'scheduleId', ("linkedTo"->>'stage')::numeric from wanted
    on conflict (schedule_id, stage) do update
      set escalate_after_seconds = excluded.escalate_after_seconds, seats = excluded.seats,
        layers = excluded.layers, linked_schedule_id = excluded.linked_schedule_id,
        linked_stage = excluded.linked_stage`.execute(tx);
  await sql`
    with wanted as (
      select stage, member.id as user_id, member.position
      from jsonb_to_recordset(${rows}::jsonb) as t(stage numeric, "memberIds" jsonb),
        jsonb_array_elements_text("memberIds") with ordinality as member(id, position)
    ), gone as (
      delete from stage_members member where schedule_id = ${scheduleId}
        and not exists (select from wanted where wanted.stage = member.stage and wanted.user_id = member.user_id)
    )
    insert into stage_members (organization_id, schedule_id, stage, user_id, position, joined_at)
    select ${organizationId}, ${scheduleId}, stage, user_id, position, ${at}::timestamptz from wanted
    on conflict (schedule_id, stage, user_id) do update set position = excluded.position`.execute(tx);
}

export async function insertOverrides(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  scheduleId: string,
  overrides: readonly StoredOverride[],
): Promise<void> {
  if (overrides.length === 0) return;
  await tx
    .insertInto('overrides')
    .values(
      overrides.map(({ id, stage, userId, startsAt, endsAt }) => ({
        id,
        organization_id: organizationId,
        schedule_id: scheduleId,
        stage,
        user_id: userId,
        starts_at: startsAt,
        ends_at: endsAt,
        created_at: at,
      })),
    )
    .execute();
}

export async function deleteOverrides(tx: Tx, scheduleId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('overrides').where('schedule_id', '=', scheduleId).where('id', 'in', ids).execute();
}

/** Names of people, teams and schedules, for sentences. */
export async function namesOf(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from users where organization_id = ${organizationId} and id = any(${ids}::text[])
    union all
    select id, name from teams where organization_id = ${organizationId} and id = any(${ids}::text[])
    union all
    select id, name from schedules where organization_id = ${organizationId} and id = any(${ids}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const TOPIC: EventTopic = 'shifts';

/** The team and name of an enabled schedule, if a webhook of its organization gets events of shifts; otherwise null. */
export async function scheduleWithEvents(
  tx: Tx,
  scheduleId: string,
): Promise<{ teamId: string; name: string } | null> {
  const { rows } = await sql<{ teamId: string; name: string }>`
    select s.team_id as "teamId", s.name from schedules s
    where s.id = ${scheduleId} and s.enabled and exists (
      select from contact_methods c
      where c.organization_id = s.organization_id and c.events <> '{}' and c.events @> array[${TOPIC}])`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Who has shifts, and until when. */
export async function shiftsAsTheyAre(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { userId: string | null; to: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; userId: string | null; endsAt: Temporal.Instant }>`
    select id, user_id as "userId", ends_at as "endsAt" from shifts where id = any(${[...ids]}::text[])`.execute(
    tx,
  );
  return new Map(rows.map(({ id, userId, endsAt }) => [id, { userId, to: endsAt.epochMilliseconds }]));
}

/** All schedules of an organization, with the properties that the rules of links use. */
export async function linkedSchedules(db: Handle, organizationId: string): Promise<LinkedSchedule[]> {
  const { rows } = await sql<LinkedSchedule>`
    select s.id, s.name, s.enabled, coalesce((
      select jsonb_agg(jsonb_build_object('stage', stage.stage, 'linkedTo', case when stage.linked_schedule_id is not null
        then jsonb_build_object('scheduleId', stage.linked_schedule_id, 'stage', stage.linked_stage) end) order by stage.stage)
      from schedule_stages stage where stage.schedule_id = s.id), '[]') as stages
    from schedules s where s.organization_id = ${organizationId} order by s.name, s.id`.execute(db);
  return rows;
}

/** Keeps these schedules from being changed until the transaction ends. */
export async function keepSchedules(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`select from schedules where organization_id = ${organizationId} and id = any(${ids}::text[])
    order by id for share`.execute(tx);
}

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
  linked_to: StageSettings['linked_to'];
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
  rounds: number;
  acknowledgeTimeoutMinutes: number;
  askAgainMediumMinutes: number;
  askAgainLowMinutes: number;
  pattern: Pattern;
  holidays: 'weight' | 'uncovered';
  /** As stored; null for the usual rules. */
  planning: unknown;
  stages: ShownStage[];
  links: ScheduleSettings['links'];
  plannedUntil: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
};

/** A schedule of the organization and the viewer's relation to its team; null if there is none. */
export async function findSchedule(db: Handle, viewer: Viewer, id: string): Promise<ShownSchedule | null> {
  const { rows } = await sql<ShownSchedule>`
    select s.id, s.name, jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as team,
      ${relationJson('m')} as relation,
      s.description, s.enabled, s.time_zone as "timeZone", s.strategy, s.plan_ahead_weeks as "planAheadWeeks",
      s.rest_hours as "restHours", s.cover, s.rounds, s.acknowledge_timeout_minutes as "acknowledgeTimeoutMinutes",
      s.ask_again_medium_minutes as "askAgainMediumMinutes", s.ask_again_low_minutes as "askAgainLowMinutes", s.holiday_use as holidays, s.planning, s.pattern, s.planned_until as "plannedUntil",
      s.created_at as "createdAt", s.updated_at as "updatedAt",
      (select ${personJson('b')} from users b where b.id = s.backstop_user_id) as backstop,
      coalesce((
        select jsonb_agg(jsonb_build_object('stage', st.stage, 'escalateAfterSeconds', st.escalate_after_seconds,
          'seats', st.seats, 'layers', st.layers, 'linked_to', (
            select jsonb_build_object('schedule', target.id, 'name', target.name, 'stage', st.linked_stage)
            from schedules target where target.id = st.linked_schedule_id), 'members', coalesce((
            select jsonb_agg(${personJson('u')} order by sm.position, u.id)
            from stage_members sm join users u on u.id = sm.user_id
            where sm.schedule_id = s.id and sm.stage = st.stage and u.disabled_at is null), '[]')) order by st.stage)
        from schedule_stages st where st.schedule_id = s.id), '[]') as stages,
      coalesce((
        select jsonb_agg(jsonb_build_object('schedule', other.id, 'name', other.name, 'stage', link.stage,
          'target', link.linked_stage) order by other.name, other.id, link.stage)
        from schedule_stages link join schedules other on other.id = link.schedule_id
        where link.organization_id = s.organization_id and link.linked_schedule_id = s.id), '[]') as links
    from schedules s join teams t on t.id = s.team_id
    left join team_members m on m.team_id = t.id and m.user_id = ${viewer.userId}
    where s.organization_id = ${viewer.organizationId} and s.id = ${id}`.execute(db);
  return rows[0] ?? null;
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

/** Patterns and time zones of a schedule's stages and layers. */
export type Timetables = {
  timeZone: string;
  holidayUse: 'weight' | 'uncovered';
  stages: { stage: number; layers: { versions: Version[]; timeZone: string }[] }[];
};

/** The timetables of a schedule of the organization; null if there is none. */
export async function findTimetables(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<Timetables | null> {
  const schedule = await db
    .selectFrom('schedules')
    .select(['time_zone', 'pattern', 'holiday_use'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!schedule) return null;
  const stages = await db
    .selectFrom('schedule_stages')
    .select(['stage', 'layers'])
    .where('schedule_id', '=', id)
    .where('linked_schedule_id', 'is', null)
    .orderBy('stage')
    .execute();
  const own = { versions: storedPattern(schedule.pattern).versions, timeZone: schedule.time_zone };
  return {
    timeZone: schedule.time_zone,
    holidayUse: schedule.holiday_use,
    stages: stages.map(({ stage, layers }) => ({
      stage,
      layers: (layers as LayerDefinition[] | null)?.map(({ pattern, timeZone }) => ({
        versions: pattern ? storedPattern(pattern).versions : own.versions,
        timeZone: timeZone ?? own.timeZone,
      })) ?? [own],
    })),
  };
}
