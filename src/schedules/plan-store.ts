import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { Schedules, Shifts } from '../db/schema.ts';
import { type Interval, union } from '../kit/interval.ts';
import { newId } from '../kit/typeid.ts';
import { queueShiftChanges } from './change-event.ts';
import type { LayerDefinition } from './definition.ts';
import type { Difference, ShiftRow } from './difference.ts';
import type { ElsewhereShift } from './elsewhere.ts';
import type { Override } from './overlay.ts';
import { storedPattern, type Version } from './pattern.ts';
import type { AvailabilityRecord, Reason, StageSituation } from './planner.ts';
import { type PlanRules, storedRules } from './rules.ts';

export type PlannedSchedule = {
  id: string;
  organizationId: string;
  teamId: string;
  name: string;
  enabled: boolean;
  backstopUserId: string | null;
  timeZone: string;
  strategy: 'fair' | 'rotation';
  versions: readonly Version[];
  holidayUse: 'weight' | 'uncovered';
  restMs: number;
  cover: 'propose' | 'apply';
  planAheadWeeks: number;
  plannedUntil: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  rules: PlanRules;
};

/** Locks the schedule's row, so that only one transaction plans it at a time. */
export async function lockForPlanning(tx: Tx, scheduleId: string): Promise<PlannedSchedule | null> {
  const row = await tx
    .selectFrom('schedules')
    .selectAll()
    .where('id', '=', scheduleId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? plannedSchedule(row) : null;
}

/** Like `lockForPlanning`, but without a lock, for reading only. */
export async function findForPlanning(
  db: Handle,
  organizationId: string,
  scheduleId: string,
): Promise<PlannedSchedule | null> {
  const row = await db
    .selectFrom('schedules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', scheduleId)
    .executeTakeFirst();
  return row ? plannedSchedule(row) : null;
}

function plannedSchedule(row: Selectable<Schedules>): PlannedSchedule {
  return {
    id: row.id,
    organizationId: row.organization_id,
    teamId: row.team_id,
    name: row.name,
    enabled: row.enabled,
    backstopUserId: row.backstop_user_id,
    timeZone: row.time_zone,
    strategy: row.strategy,
    versions: storedPattern(row.pattern).versions,
    holidayUse: row.holiday_use,
    restMs: row.rest_hours * 3_600_000,
    cover: row.cover,
    planAheadWeeks: row.plan_ahead_weeks,
    plannedUntil: row.planned_until,
    createdAt: row.created_at,
    rules: storedRules(row.planning),
  };
}

/** A stage or one of its layers, with its members. Null fields are taken from the schedule. */
export type LayerRow = Pick<StageSituation, 'stage' | 'seats' | 'members' | 'plannedMembers'> & {
  firstSeat: number | null;
  timeZone: string | null;
  versions: readonly Version[] | null;
};

/** Stages in ascending order with their members who can sign in, in the order of the rotation. */
export async function layersToPlan(
  db: Handle,
  schedule: PlannedSchedule,
  since: Temporal.Instant,
): Promise<LayerRow[]> {
  const stages = await db
    .selectFrom('schedule_stages')
    .select(['stage', 'seats', 'layers', 'planned_members', 'planned_layers'])
    .where('schedule_id', '=', schedule.id)
    .where('linked_schedule_id', 'is', null)
    .orderBy('stage')
    .execute();
  const members = await db
    .selectFrom('stage_members')
    .innerJoin('users', 'users.id', 'stage_members.user_id')
    .select(['stage', 'user_id as userId', 'joined_at as joinedAt', 'shares_from as sharesFrom'])
    .where('schedule_id', '=', schedule.id)
    .where('users.disabled_at', 'is', null)
    .orderBy('position')
    .orderBy('user_id')
    .execute();
  const { shares } = schedule.rules;
  return stages.flatMap(({ stage, seats, layers, planned_members, planned_layers }) => {
    const own = members
      .filter((member) => member.stage === stage)
      .map(({ userId, joinedAt, sharesFrom }) => {
        const isNew = planned_members !== null && !planned_members.includes(userId);
        const from = sharesFrom ?? (isNew ? schedule.plannedUntil : null);
        return {
          userId,
          // Shares cover the same time as the shifts that are read.
          joinedAt: Math.max((joinedAt ?? schedule.createdAt).epochMilliseconds, since.epochMilliseconds),
          ...(from ? { sharesFrom: from.epochMilliseconds } : {}),
          ...(shares[userId] ? { share: shares[userId] } : {}),
        };
      });
    const whole = { stage, seats, members: own, plannedMembers: planned_members };
    const split = layers as LayerDefinition[] | null;
    if (!split) return [{ ...whole, firstSeat: null, timeZone: null, versions: null }];
    return layerRows(whole, split, planned_layers as string[][] | null);
  });
}

function layerRows(
  whole: Pick<LayerRow, 'stage' | 'members'>,
  layers: readonly LayerDefinition[],
  planned: readonly (readonly string[])[] | null,
): LayerRow[] {
  let firstSeat = 1;
  return layers.map(({ seats, memberIds, timeZone, pattern }, index) => {
    const row = {
      stage: whole.stage,
      seats,
      firstSeat,
      timeZone,
      versions: pattern && storedPattern(pattern).versions,
      members: memberIds.flatMap((id) => whole.members.find(({ userId }) => userId === id) ?? []),
      plannedMembers: planned?.[index] ?? null,
    };
    firstSeat += seats;
    return row;
  });
}

/**
 * The same people by email address, an order that does not depend on when they were added or where a file names them.
 */
export async function inOrderOfEmail(
  db: Handle,
  organizationId: string,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...userIds])
    .orderBy(sql`lower(email) collate "C"`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Shifts that end after `since`. */
export async function shiftsSince(
  db: Handle,
  scheduleId: string,
  since: Temporal.Instant,
): Promise<ShiftRow[]> {
  const rows = await db
    .selectFrom('shifts')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where(sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${since}, null)`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    stage: row.stage,
    seat: row.seat,
    userId: row.user_id,
    plannedUserId: row.planned_user_id,
    overrideId: row.override_id,
    from: row.starts_at.epochMilliseconds,
    to: row.ends_at.epochMilliseconds,
    planned: plannedBounds(row),
    reason: row.reason as Reason | null,
  }));
}

/** A row with a planned person but without planned bounds is a whole shift. */
function plannedBounds(row: Selectable<Shifts>): Interval | null {
  const from = row.planned_starts_at ?? (row.planned_user_id === null ? null : row.starts_at);
  const to = row.planned_ends_at ?? row.ends_at;
  return from && { from: from.epochMilliseconds, to: to.epochMilliseconds };
}

/** Overrides that end after `at`, without those for disabled users. */
export async function overridesSince(
  db: Handle,
  scheduleId: string,
  at: Temporal.Instant,
): Promise<Override[]> {
  const rows = await db
    .selectFrom('overrides')
    .innerJoin('users', 'users.id', 'overrides.user_id')
    .select(['overrides.id', 'stage', 'seat', 'user_id as userId', 'starts_at', 'ends_at'])
    .where('schedule_id', '=', scheduleId)
    .where('ends_at', '>', at)
    .where('users.disabled_at', 'is', null)
    .execute();
  return rows.map(({ starts_at, ends_at, ...override }) => ({
    ...override,
    from: starts_at.epochMilliseconds,
    to: ends_at.epochMilliseconds,
  }));
}

/** Availability records that overlap the time from `since` to `until`, by user, sorted by start. */
export async function recordsBetween(
  db: Handle,
  userIds: readonly string[],
  since: Temporal.Instant,
  until: Temporal.Instant,
): Promise<Map<string, AvailabilityRecord[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('availabilities')
    .select(['user_id', 'type', 'starts_at', 'ends_at'])
    .where('user_id', 'in', userIds)
    .where('ends_at', '>', since)
    .where('starts_at', '<', until)
    .orderBy('starts_at')
    // Not by id: the same records, entered again, must give the same plan.
    .orderBy('ends_at')
    .orderBy('type')
    .execute();
  return Map.groupBy(
    rows.map(({ user_id, type, starts_at, ends_at }) => ({
      userId: user_id,
      type,
      from: starts_at.epochMilliseconds,
      // Records may end within a millisecond; shifts cannot.
      to: Math.ceil(Number(ends_at.epochNanoseconds / 1_000n) / 1_000),
    })),
    ({ userId }) => userId,
  );
}

/**
 * Saves the changes of a plan in an order in which no two rows of a seat ever overlap, and queues one event for all of
 * them.
 */
export async function saveDifference(
  tx: Tx,
  at: Temporal.Instant,
  schedule: Pick<PlannedSchedule, 'id' | 'organizationId'>,
  { removed, changed, ...difference }: Difference,
): Promise<void> {
  const added = difference.added.map((piece) => ({ ...piece, id: newId('shift') }));
  await queueShiftChanges(tx, at, schedule, { added, changed, removed });
  if (removed.length > 0)
    await sql`delete from shifts where id = any(${removed.map(({ id }) => id)}::text[])`.execute(tx);
  if (changed.length > 0)
    await sql`
      update shifts set user_id = new.user_id, planned_user_id = new.planned_user_id,
        override_id = new.override_id, ends_at = new.ends_at, planned_starts_at = new.planned_starts_at,
        planned_ends_at = new.planned_ends_at, reason = new.reason, updated_at = ${at}
      from jsonb_to_recordset(${JSON.stringify(changed.map(recordOf))}::jsonb) as new(${RECORD})
      where shifts.id = new.id`.execute(tx);
  if (added.length > 0)
    await sql`
      insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, override_id,
        starts_at, ends_at, planned_starts_at, planned_ends_at, reason, created_at, updated_at)
      select id, ${schedule.organizationId}, ${schedule.id}, stage, seat, user_id, planned_user_id, override_id,
        starts_at, ends_at, planned_starts_at, planned_ends_at, reason, ${at}::timestamptz, ${at}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(added.map(recordOf))}::jsonb) as new(${RECORD})`.execute(tx);
}

const RECORD = sql`id text, stage numeric, seat integer, user_id text, planned_user_id text, override_id text,
  starts_at timestamptz, ends_at timestamptz, planned_starts_at timestamptz, planned_ends_at timestamptz,
  reason jsonb`;

function recordOf(row: ShiftRow) {
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);
  return {
    id: row.id,
    stage: row.stage,
    seat: row.seat,
    user_id: row.userId,
    planned_user_id: row.plannedUserId,
    override_id: row.overrideId,
    starts_at: instant(row.from),
    ends_at: instant(row.to),
    planned_starts_at: row.planned && instant(row.planned.from),
    planned_ends_at: row.planned && instant(row.planned.to),
    reason: row.reason,
  };
}

/** Records how far the schedule is planned, and with which members. */
export async function savePlanned(
  tx: Tx,
  schedule: PlannedSchedule,
  until: Temporal.Instant,
  stages: readonly StageSituation[],
): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ planned_until: until, replan_since: null })
    .where('id', '=', schedule.id)
    .execute();
  for (const [stage, layers] of Map.groupBy(stages, ({ stage }) => stage)) {
    const members = layers.map((layer) => layer.members.map(({ userId }) => userId));
    const isSplit = layers[0]?.firstSeat !== undefined;
    await tx
      .updateTable('schedule_stages')
      .set({ planned_members: members.flat(), planned_layers: isSplit ? JSON.stringify(members) : null })
      .where('schedule_id', '=', schedule.id)
      .where('stage', '=', stage)
      .execute();
    const joined = layers
      .flatMap((layer) => layer.members)
      .flatMap(({ userId, sharesFrom }) =>
        sharesFrom === undefined
          ? []
          : [{ userId, sharesFrom: Temporal.Instant.fromEpochMilliseconds(sharesFrom) }],
      );
    if (joined.length > 0) await saveSharesFrom(tx, schedule.id, stage, joined);
  }
}

async function saveSharesFrom(
  tx: Tx,
  scheduleId: string,
  stage: number,
  joined: readonly { userId: string; sharesFrom: Temporal.Instant }[],
): Promise<void> {
  await sql`
    update stage_members set shares_from = joined."sharesFrom"
    from jsonb_to_recordset(${JSON.stringify(joined)}::jsonb) as joined("userId" text, "sharesFrom" timestamptz)
    where schedule_id = ${scheduleId} and stage = ${stage} and user_id = joined."userId"
      and shares_from is distinct from joined."sharesFrom"`.execute(tx);
}

/** After a fresh plan, shares count from the time when each person joined. */
export async function forgetSharesFrom(tx: Tx, scheduleId: string): Promise<void> {
  await tx
    .updateTable('stage_members')
    .set({ shares_from: null })
    .where('schedule_id', '=', scheduleId)
    .where('shares_from', 'is not', null)
    .execute();
}

type Row = Interval & { userId: string; schedule: string; key: string; isAlwaysOn: boolean };

/** A time of a column in epoch milliseconds, rounded up: records may end within a millisecond, shifts cannot. */
export const epochMs = (column: string): RawBuilder<number> =>
  sql.raw(`ceil(extract(epoch from ${column}) * 1000)::float8`);

/** Shifts that people have in other enabled schedules of the organization between two instants. */
export async function shiftsElsewhere(
  db: Handle,
  schedule: { id: string; organizationId: string },
  userIds: readonly string[],
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant | null },
): Promise<Map<string, ElsewhereShift[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select shift.user_id as "userId", other.name as schedule, ${epochMs('shift.starts_at')} as "from",
      ${epochMs('shift.ends_at')} as "to",
      concat_ws(' ', other.id, shift.stage, shift.seat, coalesce(shift.planned_starts_at, shift.starts_at)) as key,
      coalesce(stage.seats >= (
        select count(*) from stage_members member join users on users.id = member.user_id and users.disabled_at is null
        where member.schedule_id = other.id and member.stage = shift.stage
      ), false) as "isAlwaysOn"
    from shifts shift
    join schedules other on other.id = shift.schedule_id and other.enabled
    left join schedule_stages stage on stage.schedule_id = other.id and stage.stage = shift.stage
    where shift.organization_id = ${schedule.organizationId} and shift.schedule_id <> ${schedule.id}
      and shift.user_id = any(${userIds}::text[])
      and tstzrange(shift.starts_at, shift.ends_at) && tstzrange(${from}, ${to})
    order by shift.starts_at, shift.id`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [
      userId,
      [...Map.groupBy(own, ({ key }) => key).values()].map(shiftOf),
    ]),
  );
}

/** The parts of one shift that a person has. Overrides and hours divide it. */
function shiftOf(rows: readonly Row[]): ElsewhereShift {
  const parts = union(rows);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new Error('a shift has at least one part');
  const { schedule = '', isAlwaysOn = false } = rows[0] ?? {};
  return {
    ...{ from: first.from, to: last.to, schedule },
    ...(parts.length > 1 ? { parts } : {}),
    ...(isAlwaysOn ? { isAlwaysOn } : {}),
  };
}
