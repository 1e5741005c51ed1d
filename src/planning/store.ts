import { type RawBuilder, sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import type { Person } from '../people/contract.ts';
import type { Leaving } from '../people/person-contract.ts';
import { personJson } from '../people/store.ts';
import type { PlannedShift, Reason } from '../schedules/planner.ts';
import type { PlanState } from './plan-api-contract.ts';
import type { PlanFigures } from './solved-plans.ts';
import type { Progress } from './solver/planning.ts';

export type StoredPlan = {
  id: string;
  organizationId: string;
  scheduleId: string;
  state: PlanState;
  freedom: 'keep' | 'fresh';
  asOf: Temporal.Instant;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  inputHash: string | null;
  figures: PlanFigures;
  shifts: PlannedShift[] | null;
  progress: Progress | null;
  error: string | null;
  createdAt: Temporal.Instant;
  createdBy: Person | null;
  publishedAt: Temporal.Instant | null;
  publishedBy: Person | null;
};

function plansWhere(condition: ReturnType<typeof sql>) {
  return sql<StoredPlan>`
    select p.id, p.organization_id as "organizationId", p.schedule_id as "scheduleId", p.state, p.freedom,
      p.as_of as "asOf", p.starts_at as "startsAt", p.ends_at as "endsAt", p.input_hash as "inputHash", p.figures,
      p.shifts, p.progress, p.error, p.created_at as "createdAt", p.published_at as "publishedAt",
      ${personJson('maker')} as "createdBy", ${personJson('publisher')} as "publishedBy"
    from plans p
    left join users maker on maker.id = p.created_by
    left join users publisher on publisher.id = p.published_by
    where ${condition}`;
}

const IS_DRAFT = sql`p.state in ('waiting', 'solving', 'draft', 'failed')`;

/** The draft of a schedule that waits, is being solved, is ready or has failed; null if there is none. */
export async function findDraft(db: Handle, scheduleId: string): Promise<StoredPlan | null> {
  const { rows } = await plansWhere(sql`p.schedule_id = ${scheduleId} and ${IS_DRAFT}`).execute(db);
  return rows[0] ?? null;
}

/** The plan that was published last. */
export async function findPlanInForce(db: Handle, scheduleId: string): Promise<StoredPlan | null> {
  const { rows } = await plansWhere(
    sql`p.schedule_id = ${scheduleId} and p.state = 'published' order by p.published_at desc limit 1`,
  ).execute(db);
  return rows[0] ?? null;
}

export type NewDraft = Pick<
  StoredPlan,
  'organizationId' | 'scheduleId' | 'freedom' | 'startsAt' | 'endsAt'
> & {
  /** Null for drafts made by the service. */
  createdBy: string | null;
};

/** The caller has locked the schedule and discarded any earlier draft. */
export async function insertDraft(tx: Tx, at: Temporal.Instant, draft: NewDraft): Promise<string> {
  const id = newId('plan');
  await tx
    .insertInto('plans')
    .values({
      id,
      organization_id: draft.organizationId,
      schedule_id: draft.scheduleId,
      state: 'waiting',
      freedom: draft.freedom,
      as_of: at,
      starts_at: draft.startsAt,
      ends_at: draft.endsAt,
      created_by: draft.createdBy,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}

/** Returns false if there is no draft. */
export async function discardDraft(tx: Tx, at: Temporal.Instant, scheduleId: string): Promise<boolean> {
  const { rows } = await sql`
    update plans p set state = 'discarded', shifts = null, progress = null, updated_at = ${at}
    where p.schedule_id = ${scheduleId} and ${IS_DRAFT} returning p.id`.execute(tx);
  return rows.length > 0;
}

export async function publishDraft(
  tx: Tx,
  at: Temporal.Instant,
  draft: { id: string; endsAt: Temporal.Instant },
  userId: string,
): Promise<void> {
  await tx
    .updateTable('plans')
    .set({ state: 'published', published_at: at, published_by: userId, shifts: null, updated_at: at })
    .where('id', '=', draft.id)
    .execute();
}

/** Leases a draft until `leasedUntil`: one that is waiting, or one whose lease has expired. */
export async function claimDraft(
  tx: Tx,
  at: Temporal.Instant,
  leasedUntil: Temporal.Instant,
): Promise<StoredPlan | null> {
  const { rows } = await sql<{ id: string }>`
    update plans set state = 'solving', as_of = ${at}, leased_until = ${leasedUntil}, updated_at = ${at}
    where id = (
      select id from plans
      where state = 'waiting' or (state = 'solving' and leased_until < ${at})
      order by created_at, id limit 1 for update skip locked)
    returning id`.execute(tx);
  const [claimed] = rows;
  if (!claimed) return null;
  return (await plansWhere(sql`p.id = ${claimed.id}`).execute(tx)).rows[0] ?? null;
}

/** Renews the lease and saves the progress; returns false if the draft was discarded meanwhile. */
export async function renewDraft(
  db: Handle,
  id: string,
  leasedUntil: Temporal.Instant,
  progress: Progress | null,
): Promise<boolean> {
  const { rows } = await sql`
    update plans set leased_until = ${leasedUntil},
      progress = coalesce(${progress && JSON.stringify(progress)}::jsonb, progress)
    where id = ${id} and state = 'solving' returning id`.execute(db);
  return rows.length > 0;
}

export type SolvedDraft = {
  inputHash: string;
  endsAt: Temporal.Instant;
  /** Null if nothing was solved, for example for a rotation. */
  figures: PlanFigures;
  shifts: readonly PlannedShift[];
};

/** Does nothing if the draft was discarded meanwhile. */
export async function saveSolvedDraft(
  db: Handle,
  at: Temporal.Instant,
  id: string,
  { inputHash, endsAt, figures, shifts }: SolvedDraft,
): Promise<void> {
  await db
    .updateTable('plans')
    .set({
      state: 'draft',
      input_hash: inputHash,
      ends_at: endsAt,
      figures: figures && JSON.stringify(figures),
      shifts: JSON.stringify(shifts),
      progress: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .where('state', '=', 'solving')
    .execute();
}

/** Does nothing if the draft was discarded meanwhile. */
export async function discardSolvingDraft(db: Handle, at: Temporal.Instant, id: string): Promise<void> {
  await db
    .updateTable('plans')
    .set({ state: 'discarded', progress: null, updated_at: at })
    .where('id', '=', id)
    .where('state', '=', 'solving')
    .execute();
}

/** Does nothing if the draft was discarded meanwhile. */
export async function failDraft(db: Handle, at: Temporal.Instant, id: string, error: string): Promise<void> {
  await db
    .updateTable('plans')
    .set({ state: 'failed', error, progress: null, updated_at: at })
    .where('id', '=', id)
    .where('state', '=', 'solving')
    .execute();
}

export type ReasonedShift = {
  id: string;
  stage: number;
  userId: string | null;
  from: number;
  to: number;
  reason: Reason | null;
  timeZone: string;
  restMs: number;
};

/** A shift as planned, with the reason why its person has it. */
export async function findShift(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<ReasonedShift | null> {
  const row = await db
    .selectFrom('shifts')
    .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
    .select(['shifts.id', 'stage', 'planned_user_id', 'starts_at', 'ends_at', 'planned_starts_at'])
    .select(['planned_ends_at', 'reason', 'time_zone', 'rest_hours'])
    .where('shifts.organization_id', '=', organizationId)
    .where('shifts.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    stage: row.stage,
    userId: row.planned_user_id,
    from: (row.planned_starts_at ?? row.starts_at).epochMilliseconds,
    to: (row.planned_ends_at ?? row.ends_at).epochMilliseconds,
    reason: row.reason as Reason | null,
    timeZone: row.time_zone,
    restMs: row.rest_hours * 3_600_000,
  };
}

export type PublishedPlan = {
  organizationId: string;
  scheduleId: string;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  inputHash: string;
  figures: NonNullable<PlanFigures>;
};

/** Records the figures of a plan that the service or the command line published. */
export async function insertPublishedPlan(
  tx: Tx,
  at: Temporal.Instant,
  plan: PublishedPlan,
): Promise<string> {
  const id = newId('plan');
  await tx
    .insertInto('plans')
    .values({
      id,
      organization_id: plan.organizationId,
      schedule_id: plan.scheduleId,
      state: 'published',
      freedom: 'keep',
      as_of: at,
      starts_at: plan.startsAt,
      ends_at: plan.endsAt,
      input_hash: plan.inputHash,
      figures: JSON.stringify(plan.figures),
      created_at: at,
      updated_at: at,
      published_at: at,
    })
    .execute();
  return id;
}

/**
 * The plan in force did not change, but was solved again under different rules, absences or people. Its earlier proof
 * no longer applies.
 */
export async function saveFiguresInForce(
  tx: Tx,
  at: Temporal.Instant,
  scheduleId: string,
  figures: NonNullable<PlanFigures>,
): Promise<void> {
  await sql`
    update plans set figures = ${JSON.stringify(figures)}::jsonb, updated_at = ${at}
    where id = (
      select id from plans where schedule_id = ${scheduleId} and state = 'published' order by published_at desc limit 1
    )`.execute(tx);
}

/** The fingerprint of the last plan. Null before the first plan, or if the last one was not solved. */
export async function fingerprintOf(db: Handle, scheduleId: string): Promise<string | null> {
  const row = await db
    .selectFrom('schedules')
    .select('settled')
    .where('id', '=', scheduleId)
    .executeTakeFirst();
  return row?.settled ?? null;
}

export async function saveFingerprint(tx: Tx, scheduleId: string, sign: string | null): Promise<void> {
  await tx.updateTable('schedules').set({ settled: sign }).where('id', '=', scheduleId).execute();
}

/**
 * Locks a schedule whose plan is out of date because something it depends on changed. Null if there is none, or other
 * nodes hold them.
 */
export async function lockPlanThatChanged(
  tx: Tx,
  _at: Temporal.Instant,
  except: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from schedules where replan_since is not null and not id = any(${except}::text[])
    order by replan_since, id limit 1 for no key update skip locked`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Locks a schedule that is planned a week less far ahead than it should be (half a week if it plans one week).
 * `except`: schedules to leave out.
 * @returns null if there is none, or other nodes hold them
 */
export async function lockPlanThatRunsOut(
  tx: Tx,
  at: Temporal.Instant,
  except: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from schedules
    where (planned_until is null or planned_until
        < ${at}::timestamptz + greatest(plan_ahead_weeks - 1, plan_ahead_weeks / 2.0) * interval '7 days')
      and not id = any(${except}::text[])
    order by planned_until nulls first, id limit 1
    for no key update skip locked`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Removes a person from all stages, from overrides from `at` on, and as backstop. Covers that are proposed to them are
 * checked again.
 */
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
  const overrides = sql`organization_id = ${organizationId} and user_id = ${userId} and ends_at > ${at}`;
  await sql`delete from overrides where ${overrides} and starts_at >= ${at}`.execute(db);
  // The past part of a running override stays, because its shifts refer to it.
  await sql`update overrides set ends_at = ${at} where ${overrides}`.execute(db);
  await sql`
    insert into cover_checks (schedule_id)
    select distinct schedule_id from covers
    where organization_id = ${organizationId} and state = 'proposed'
      and proposal @> jsonb_build_object('moves', jsonb_build_array(jsonb_build_object('gains', ${userId}::text)))`.execute(
    db,
  );
  await db
    .updateTable('schedules')
    .set({ backstop_user_id: null, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('backstop_user_id', '=', userId)
    .execute();
}

/** Schedules that a person belongs to through a stage, or through a current or future shift or override. */
export async function schedulesOf(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from schedules s where organization_id = ${organizationId} and ${includes(at, userId)}
    order by id`.execute(db);
  return rows;
}

/**
 * Locks these schedules, and those whose backstop the person is. Changes of shifts lock a schedule before they refer to people, so
 * call it before people are locked. Otherwise, the two could deadlock.
 */
export async function lockSchedulesOf(
  tx: Tx,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<void> {
  await sql`
    select from schedules s where organization_id = ${organizationId}
      and (backstop_user_id = ${userId} or ${includes(at, userId)})
    order by id for no key update`.execute(tx);
}

/** The SQL condition for a schedule `s` to which a person belongs. */
function includes(at: Temporal.Instant, userId: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from stage_members m where m.schedule_id = s.id and m.user_id = ${userId})
    or exists (select from overrides o where o.schedule_id = s.id and o.user_id = ${userId} and o.ends_at > ${at})
    or exists (select from shifts h where h.schedule_id = s.id and h.user_id = ${userId} and h.ends_at > ${at}))`;
}

/** What is affected when a person is disabled. */
export async function readLeaving(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
): Promise<Omit<Leaving, 'shifts_changed' | 'schedules'>> {
  type Row = Omit<Leaving, 'shifts_changed' | 'schedules' | 'stages'> & {
    stages: { schedule: string; stage: number }[];
  };
  const { rows } = await sql<Row>`
    select
      (select count(*)::int from shifts h join schedules s on s.id = h.schedule_id and s.enabled
        where h.user_id = u.id and h.ends_at > ${at}) as shifts_ahead,
      array(select s.name from schedules s where s.backstop_user_id = u.id order by s.name) as backstop_of,
      (select coalesce(jsonb_agg(jsonb_build_object('schedule', s.name, 'stage', trim_scale(m.stage)) order by s.name, m.stage), '[]')
        from stage_members m join schedules s on s.id = m.schedule_id where m.user_id = u.id) as stages,
      array(select t.name from team_members m join teams t on t.id = m.team_id where m.user_id = u.id order by t.name) as teams,
      (select count(*)::int from api_keys k where k.user_id = u.id and k.revoked_at is null) as api_keys
    from users u where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(db);
  const [leaving] = rows;
  if (!leaving) return { shifts_ahead: 0, backstop_of: [], stages: [], teams: [], api_keys: 0 };
  return { ...leaving, stages: leaving.stages.map((one) => t('{schedule}, stage {stage}', one)) };
}
