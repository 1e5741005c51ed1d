import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Leaving } from '../people/person-contract.ts';
import type { PlanFigures } from './solved-plans.ts';

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

/** Removes a person from all stages, from current and future overrides, and as backstop. */
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

/** Schedules that a person belongs to through a stage, or through a current or future shift or override. */
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

/** What is affected when a person is disabled. */
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
