import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { PageState, Urgency } from './contract.ts';
import type { Step, StepKind } from './escalation.ts';

export type PageRow = {
  id: string;
  organizationId: string;
  requestId: string;
  kind: 'team' | 'person';
  teamId: string | null;
  userId: string | null;
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  state: PageState;
  round: number;
  replyCode: string;
  raisedBy: string | null;
  createdAt: Temporal.Instant;
};

/** The tail of the accepting statement: page, first step and the first line of its timeline, in the same commit. */
export function insertPagesTail(clock: Clock): RawBuilder<unknown> {
  return sql`
    new_pages as (
      insert into pages (id, organization_id, request_id, kind, team_id, user_id, title, text, source_url, urgency,
        state, reply_code, raised_by, created_at)
      select "row"->>'id', organization_id, request_id, "row"->>'kind', "row"->>'team_id', "row"->>'user_id',
        "row"->>'title', "row"->>'text', "row"->>'source_url', "row"->>'urgency', 'notifying', "row"->>'reply_code',
        "row"->>'raised_by', ${clock.sql}
      from winners
    ), new_steps as (
      insert into page_steps (organization_id, page_id, round, kind, due_at)
      select organization_id, "row"->>'id', 1, case "row"->>'kind' when 'team' then 'stage' else 'person' end, ${clock.sql}
      from winners
    ), new_events as (
      insert into page_events (organization_id, page_id, at, kind, user_id)
      select organization_id, "row"->>'id', ${clock.sql}, 'raised', "row"->>'raised_by' from winners
    )`;
}

export type DueStep = { id: number; pageId: string; step: Step };

/**
 * Takes the step that has waited longest. The lock on its row is the lease: it ends with the transaction, or with the
 * worker. Steps of `skip` are left for others (they failed here a moment ago).
 */
export async function takeDueStep(tx: Tx, clock: Clock): Promise<DueStep | null> {
  const { rows } = await sql<{
    id: number;
    page_id: string;
    kind: StepKind;
    stage: number | null;
    round: number;
  }>`
    select id, page_id, kind, stage, round from page_steps
    where state = 'due' and due_at <= ${clock.sql}
    order by due_at, id limit 1 for update skip locked`.execute(tx);
  const row = rows[0];
  return row
    ? { id: row.id, pageId: row.page_id, step: { kind: row.kind, stage: row.stage, round: row.round } }
    : null;
}

/** Puts a step that failed off, so that it neither blocks the others nor is forgotten. */
export async function postponeStep(db: Handle, clock: Clock, stepId: number, afterMs: number): Promise<void> {
  await sql`
    update page_steps set attempts = attempts + 1, due_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${stepId} and state = 'due'`.execute(db);
}

export async function finishStep(
  tx: Tx,
  stepId: number,
  state: 'done' | 'cancelled',
  at: Temporal.Instant,
): Promise<void> {
  await tx.updateTable('page_steps').set({ state, done_at: at }).where('id', '=', stepId).execute();
}

/** Schedules what comes next; a step that exists already for this round stays as it is. */
export async function scheduleStep(
  tx: Tx,
  page: { id: string; organizationId: string },
  step: Step,
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx
    .insertInto('page_steps')
    .values({
      organization_id: page.organizationId,
      page_id: page.id,
      round: step.round,
      kind: step.kind,
      stage: step.stage,
      due_at: dueAt,
    })
    .onConflict((conflict) => conflict.columns(['page_id', 'round', 'kind', 'stage']).doNothing())
    .execute();
}

/** Makes whatever the page waits for happen now. Returns whether there was something. */
export async function hastenStep(tx: Tx, pageId: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('page_steps')
    .set({ due_at: at })
    .where('page_id', '=', pageId)
    .where('state', '=', 'due')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function cancelSteps(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('page_steps')
    .set({ state: 'cancelled', done_at: at })
    .where('page_id', '=', pageId)
    .where('state', '=', 'due')
    .execute();
}

/** The page's row, locked until the end of the transaction: two events of one page never overtake each other. */
export async function lockPage(tx: Tx, pageId: string): Promise<PageRow | null> {
  const row = await tx
    .selectFrom('pages')
    .selectAll()
    .where('id', '=', pageId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    organizationId: row.organization_id,
    requestId: row.request_id,
    kind: row.kind,
    teamId: row.team_id,
    userId: row.user_id,
    title: row.title,
    text: row.text,
    sourceUrl: row.source_url,
    urgency: row.urgency,
    state: row.state,
    round: row.round,
    replyCode: row.reply_code,
    raisedBy: row.raised_by,
    createdAt: row.created_at,
  };
}

export async function setRound(tx: Tx, pageId: string, round: number): Promise<void> {
  await tx.updateTable('pages').set({ round }).where('id', '=', pageId).execute();
}

export type PageEvent = {
  at: Temporal.Instant;
  kind: string;
  userId?: string | null;
  data?: Record<string, unknown>;
};

export async function addEvents(
  tx: Tx,
  page: { id: string; organizationId: string },
  events: readonly PageEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('page_events')
    .values(
      events.map((event) => ({
        organization_id: page.organizationId,
        page_id: page.id,
        at: event.at,
        kind: event.kind,
        user_id: event.userId ?? null,
        data: JSON.stringify(event.data ?? {}),
      })),
    )
    .execute();
}

export async function markAcknowledged(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  by: string | null,
  via: string,
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({ state: 'acknowledged', acknowledged_at: at, acknowledged_by: by, acknowledged_via: via })
    .where('id', '=', pageId)
    .execute();
}

export async function markResolved(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  by: string | null,
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({ state: 'resolved', resolved_at: at, resolved_by: by })
    .where('id', '=', pageId)
    .execute();
}

export async function markExpired(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('pages').set({ state: 'expired', expired_at: at }).where('id', '=', pageId).execute();
}

/** The highest stage that was notified in this round, null when none was. */
export async function lastStageNotified(tx: Tx, pageId: string, round: number): Promise<number | null> {
  const row = await tx
    .selectFrom('responders')
    .select((eb) => eb.fn.max('stage').as('stage'))
    .where('page_id', '=', pageId)
    .where('round', '=', round)
    .executeTakeFirst();
  return row?.stage ?? null;
}

/** Members of a team who have at least one verified contact method. */
export async function reachableMembers(db: Handle, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.team_id', '=', teamId)
    .where('u.disabled_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('contact_methods as c')
          .whereRef('c.user_id', '=', 'm.user_id')
          .where('c.verified_at', 'is not', null)
          .select('c.id'),
      ),
    )
    .orderBy('m.user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export async function teamMemberIds(db: Handle, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.team_id', '=', teamId)
    .where('u.disabled_at', 'is', null)
    .orderBy('m.user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export async function nextStepOf(tx: Tx, pageId: string): Promise<{ id: number; step: Step } | null> {
  const row = await tx
    .selectFrom('page_steps')
    .select(['id', 'kind', 'stage', 'round'])
    .where('page_id', '=', pageId)
    .where('state', '=', 'due')
    .orderBy('due_at')
    .executeTakeFirst();
  return row ? { id: row.id, step: { kind: row.kind, stage: row.stage, round: row.round } } : null;
}

/** Whether somebody who was asked in the same step as this responder may still answer. */
export async function stepReachable(tx: Tx, responderId: number): Promise<boolean> {
  const { rows } = await sql<{ reachable: boolean }>`
    select exists (
      select from responders r join responders same on same.page_id = r.page_id and same.started_at = r.started_at
      where r.id = ${responderId} and same.unreachable_at is null) as reachable`.execute(tx);
  return rows[0]?.reachable ?? false;
}

export async function anyoneReachable(tx: Tx, pageId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('responders')
    .select('id')
    .where('page_id', '=', pageId)
    .where('unreachable_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Who dealt with a page last, and when. */
export async function pageHandledBy(
  tx: Handle,
  pageId: string,
): Promise<{ by: string | null; at: Temporal.Instant | null }> {
  const row = await tx
    .selectFrom('pages as p')
    .leftJoin('users as a', 'a.id', 'p.acknowledged_by')
    .leftJoin('users as r', 'r.id', 'p.resolved_by')
    .select([
      'p.acknowledged_at',
      'p.resolved_at',
      'p.expired_at',
      'a.name as acknowledger',
      'r.name as resolver',
    ])
    .where('p.id', '=', pageId)
    .executeTakeFirst();
  if (!row) return { by: null, at: null };
  if (row.acknowledged_at) return { by: row.acknowledger, at: row.acknowledged_at };
  return { by: row.resolver, at: row.resolved_at ?? row.expired_at };
}

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
