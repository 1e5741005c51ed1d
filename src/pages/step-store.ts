import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { inIndexOrder, readInIndexOrder } from '../db/in-index-order.ts';
import type { Pages } from '../db/schema.ts';
import { type Rotation, type Share, shareRows, sharesOf, turnOrder } from '../db/turns.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import { LATE_AFTER_MS, type Late, MOST_LATE } from '../requests/pace.ts';
import { accepting } from '../requests/store.ts';
import { type OnCallRow, onCallOf } from '../schedules/read-store.ts';
import type { Step, StepKind } from './escalation.ts';
import type { Storing } from './notifier.ts';
import {
  insertPagesTail,
  NEW_PAGES,
  type PageAndEvent,
  type PageRow,
  pageRow,
  TURN_RANKS,
  turnColumns,
} from './store.ts';
import type { PagedTeam } from './team-escalation.ts';

/** A step that is due, and its page. */
export type DueStep = {
  id: number;
  step: Step;
  page: PageRow;
  /** How often it failed. */
  failures: number;
  /** It may have run before, on a server that failed over. */
  mayRepeat: boolean;
  /** Whether the page has notified anybody. */
  hasNotified: boolean;
  /** The time of the transaction that took it. */
  now: Temporal.Instant;
};

type StepAndPage = Selectable<Pages> & {
  step_id: number;
  step_kind: StepKind;
  stage: number | null;
  step_round: number;
  failures: number;
  may_repeat: boolean;
  has_notified: boolean;
  now: Temporal.Instant;
};

/** Which due steps to take. Turns continue where `rotation` says. */
export type StepClaim = { limit: number; failedBefore: boolean; rotation: Rotation };

/**
 * Takes due steps with their pages, at most one for each page: first the half that has waited longest, so that nothing
 * waits for ever, and then, if more are due, a share of each team in turn. The row locks are the leases: they end with
 * the transaction, or when the worker dies. Rows locked by other workers are skipped. It uses `no key update`, because
 * `update` would also skip a page while a row that refers to it is inserted.
 */
export async function takeDueSteps(tx: Tx, clock: Clock, which: StepClaim): Promise<DueStep[]> {
  const half = Math.ceil(which.limit / 2);
  const tried = which.failedBefore ? sql`and s.attempts > 0` : sql`and s.attempts = 0`;
  const oldest = await inIndexOrder(tx, (side) => takeOldest(side, clock, tried, half));
  if (oldest.length < half || which.limit === half) return dueSteps(oldest);
  const taken = oldest.map(({ step_id }) => step_id);
  const claimable = sql`q.due_at <= ${clock.sql} and q.id <> all(${taken}::bigint[])
    and ${which.failedBefore ? sql`q.attempts > 0` : sql`q.attempts = 0`}`;
  const shares = await sharesOf(tx, { ...QUEUE, claimable }, which.limit - half, which.rotation);
  if (shares.length === 0) return dueSteps(oldest);
  const inTurn = await inIndexOrder(tx, (side) => takeShares(side, clock, shares, claimable));
  return dueSteps([...oldest, ...inTurn]);
}

/**
 * Who is on call in the team of a step that is due, to be read ahead of a claim, which probably takes this step. No rows if
 * no step is due, or if it is not one of a team.
 */
export function onCallAhead(clock: Clock): RawBuilder<OnCallRow> {
  return onCallOf(
    sql`(select s.organization_id, s.turn_of from page_steps s where s.state = 'due' and s.due_at <= ${clock.sql} limit 1)`,
    clock.sql,
  );
}

/** What first steps of new pages did. */
export type FirstSteps = {
  next: readonly NewStep[];
  events: readonly PageAndEvent[];
  storing: Pick<Storing, 'tail'>;
};

/** The statement that writes requests with their pages, of which the first steps are done, and all that these steps did. */
export function acceptingWithFirstSteps(
  clock: Clock,
  items: readonly Acceptance[],
  steps: FirstSteps,
): RawBuilder<{ request_id: string }> {
  const clauses = [insertPagesTail(clock, false, steps.events), ...firstStepClauses(steps)];
  const read = sql<{ request_id: string }>`select request_id from winners`;
  return accepting(clock, items, { tail: sql.join(clauses), read, status: 'processing' });
}

/** The `with` clauses that store what first steps did, without their events, behind the clause `NEW_PAGES`. */
export function firstStepClauses({ next, storing }: Omit<FirstSteps, 'events'>): RawBuilder<unknown>[] {
  const runs = storing.tail(NEW_PAGES);
  return [
    ...(runs ? [runs] : []),
    ...schedulingSteps(next, NEW_PAGES).map((statement) => sql`next_steps as (${statement})`),
  ];
}

/** Who is on call now in the team that a page is for. */
export function onCallOfTeam(clock: Clock, { organizationId, teamId }: PagedTeam): RawBuilder<OnCallRow> {
  return onCallOf(sql`(${organizationId}, ${teamId})`, clock.sql);
}

/** Takes one step that is due, by its id. */
export async function takeDueStep(tx: Tx, clock: Clock, id: number): Promise<DueStep | null> {
  const { rows } = await sql<StepAndPage>`
    select ${stepColumns(clock)} from page_steps s join pages p on p.id = s.page_id
    where s.id = ${id} and s.state = 'due' and s.due_at <= ${clock.sql}
    for no key update of s, p skip locked`.execute(tx);
  return dueSteps(rows)[0] ?? null;
}

const QUEUE = {
  table: 'page_steps',
  turnOf: 'turn_of',
  rank: { column: 'turn_rank', values: TURN_RANKS },
  index: 'page_steps_in_turn',
  waiting: sql`q.state = 'due'`,
} as const;

function stepColumns(clock: Clock): RawBuilder<unknown> {
  // Not `exists`, which PostgreSQL may answer by reading all responders once if many steps seem to be due.
  return sql`s.id as step_id, s.kind as step_kind, s.stage, s.round as step_round, s.attempts as failures, s.may_repeat,
    (select true from responders r where r.page_id = s.page_id limit 1) is not null as has_notified, ${clock.sql} as now, p.*`;
}

async function takeOldest(
  tx: Tx,
  clock: Clock,
  tried: RawBuilder<unknown>,
  limit: number,
): Promise<StepAndPage[]> {
  const { rows } = await sql<StepAndPage>`
    select ${stepColumns(clock)} from page_steps s join pages p on p.id = s.page_id
    where s.state = 'due' and s.due_at <= ${clock.sql} ${tried}
    order by s.due_at, s.id limit ${limit} for no key update of s, p skip locked`.execute(tx);
  return rows;
}

/** Takes the steps within the share of each turn. */
async function takeShares(
  tx: Tx,
  clock: Clock,
  shares: readonly Share[],
  claimable: RawBuilder<unknown>,
): Promise<StepAndPage[]> {
  const { rows } = await sql<StepAndPage>`
    select ${stepColumns(clock)} from ${shareRows(shares)} cross join lateral (
      select q.* from page_steps q
      where q.state = 'due' and q.organization_id = share.organization_id and q.turn_of = share.turn_of
        and q.turn_rank = share.turn_rank and ${claimable}
      order by ${turnOrder(QUEUE)} limit share.quota for no key update skip locked) s
    join pages p on p.id = s.page_id
    for no key update of p skip locked`.execute(tx);
  return rows;
}

function dueSteps(rows: readonly StepAndPage[]): DueStep[] {
  const seen = new Set<string>();
  return rows
    .filter((row) => !seen.has(row.id) && seen.add(row.id))
    .map((row) => ({
      id: row.step_id,
      step: { kind: row.step_kind, stage: row.stage, round: row.step_round },
      page: pageRow(row),
      failures: row.failures,
      mayRepeat: row.may_repeat,
      hasNotified: row.has_notified,
      now: row.now,
    }));
}

/**
 * Steps that no worker has begun in time, by turn and rank, among the `MOST_LATE` longest overdue ones. A worker locks those that
 * it begins, which leaves its number in `xmax`.
 */
export function lateSteps(db: Database, clock: Clock): Promise<Late[]> {
  const counted = sql<Late>`
    select organization_id as "organizationId", turn_of as "turnOf", turn_rank as rank, count(*)::integer as rows
    from (
      select organization_id, turn_of, turn_rank from page_steps
      where state = 'due' and attempts = 0 and xmax = '0'::xid and due_at <= ${clock.sql} - ${LATE_AFTER_MS}::integer * interval '1 millisecond'
      order by due_at, id limit ${MOST_LATE}) late
    group by 1, 2, 3`;
  return readInIndexOrder(db, counted);
}

/** Postpones a step that failed, so that it does not block others and is tried again. */
export async function postponeStep(db: Handle, clock: Clock, stepId: number, afterMs: number): Promise<void> {
  await sql`
    update page_steps set attempts = attempts + 1, due_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${stepId} and state = 'due'`.execute(db);
}

/**
 * Finds pages whose notifications to people who can still answer are late: sent more than a minute late, due and not sent, due by a
 * notification rule only in the last second before their page ends, or accepted more than a minute after the first attempt. Returns
 * when the last one was sent, or `at` if one is not sent. A retry that failed as well does not count, unless the nodes of all earlier
 * attempts died, perhaps before they sent it: an address that nothing reaches must not keep its page open.
 */
export async function lateNotifications(
  tx: Tx,
  pageIds: readonly string[],
  at: Temporal.Instant,
): Promise<Map<string, Temporal.Instant>> {
  if (pageIds.length === 0) return new Map();
  const { rows } = await sql<{ page_id: string; latest: Temporal.Instant }>`
    select d.page_id, max(case when d.state in ('waiting', 'retrying') and d.due_at <= ${at} then ${at} else d.sent_at end) as latest
    from deliveries d
    join page_steps s on s.page_id = d.page_id and s.kind = 'expire' and s.state = 'due'
    join users u on u.id = d.user_id
    left join lateral (
      select min(a.begun_at) filter (where a.attempt = 1) as began, bool_and(a.outcome = 'unknown') as lost
      from delivery_attempts a where d.attempts > 1 and a.delivery_id = d.id and a.attempt < d.attempts) before on true
    where d.page_id = any(${[...pageIds]}::text[]) and u.disabled_at is null
      and (d.state = 'waiting' and d.due_at <= ${at}
        or d.state = 'retrying' and d.due_at <= ${at}::timestamptz - interval '1 minute'
        or d.attempts = 1 and (d.sent_at > d.due_at + interval '1 minute'
          or d.due_at > s.due_at - interval '1 second' and d.due_at > d.created_at and d.state not in ('failed', 'cancelled'))
        or d.state = 'sending' and d.sent_at > d.due_at + interval '1 minute'
        or (before.lost or d.state in ('accepted', 'delivered')) and d.sent_at > before.began + interval '1 minute')
    group by d.page_id`.execute(tx);
  return new Map(rows.map((row) => [row.page_id, row.latest]));
}

/** Postpones a step without counting a failure. */
export async function putOffStep(tx: Tx, stepId: number, dueAt: Temporal.Instant): Promise<void> {
  await tx.updateTable('page_steps').set({ due_at: dueAt }).where('id', '=', stepId).execute();
}

/** Postpones the end of a page, if that is its next step, to this time or later. */
export async function putOffEnd(tx: Tx, pageId: string, until: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('page_steps')
    .set({ due_at: until })
    .where('page_id', '=', pageId)
    .where('state', '=', 'due')
    .where('kind', '=', 'expire')
    .where('due_at', '<', until)
    .execute();
}

export async function finishSteps(
  tx: Tx,
  steps: readonly { id: number }[],
  state: 'done' | 'cancelled',
  at: Temporal.Instant,
): Promise<void> {
  for (const statement of finishingSteps(steps, state, at)) await statement.execute(tx);
}

/** The same as a statement; none for no steps. */
export function finishingSteps(
  steps: readonly { id: number }[],
  state: 'done' | 'cancelled',
  at: Temporal.Instant,
): RawBuilder<unknown>[] {
  if (steps.length === 0) return [];
  const ids = steps.map(({ id }) => id);
  return [sql`update page_steps set state = ${state}, done_at = ${at} where id = any(${ids}::bigint[])`];
}

/** The statements that update the round of pages whose step begins a new one. */
export function settingRounds(steps: readonly DueStep[]): RawBuilder<unknown>[] {
  return steps
    .filter(({ page, step }) => step.round > page.round)
    .map(({ page, step }) => sql`update pages set round = ${step.round} where id = ${page.id}`);
}

export type NewStep = {
  page: { id: string; organizationId: string };
  step: Step;
  dueAt: Temporal.Instant;
  /** What is scheduled instead if the step has run in its round, so that the page does not stop. */
  otherwise?: Step;
};

/**
 * Schedules the next steps. A step that is due or has run in this round does not change. A cancelled one becomes due
 * again. Returns how many steps were scheduled.
 */
export async function scheduleSteps(tx: Tx, steps: readonly NewStep[]): Promise<number> {
  const [statement] = schedulingSteps(steps);
  const { numAffectedRows } = (await statement?.execute(tx)) ?? {};
  return Number(numAffectedRows ?? 0);
}

/**
 * The same as a statement; none for no steps. `newPages`: the clause that returns the pages, if the statement is part of the one that
 * inserts them.
 */
export function schedulingSteps(
  steps: readonly NewStep[],
  newPages: RawBuilder<unknown> | null = null,
): RawBuilder<unknown>[] {
  if (steps.length === 0) return [];
  const input = JSON.stringify(
    steps.map(({ page, step, dueAt, otherwise }) => ({
      page_id: page.id,
      round: step.round,
      kind: step.kind,
      stage: step.stage,
      due_at: dueAt,
      other_round: otherwise?.round,
      other_kind: otherwise?.kind,
      other_stage: otherwise?.stage,
    })),
  );
  const column = (name: string) =>
    sql`case when ran.id is null then ${sql.ref(`t.${name}`)} else ${sql.ref(`t.other_${name}`)} end`;
  // Limits make PostgreSQL look up each row by index, however large it believes the tables to be.
  const statement = sql`
    insert into page_steps as known (organization_id, page_id, round, kind, stage, due_at, turn_of, turn_rank)
    select p.organization_id, p.id, ${column('round')}, ${column('kind')}, ${column('stage')}, t.due_at, ${turnColumns(sql`p.team_id`, sql`p.user_id`, sql`p.urgency`)}
    from jsonb_to_recordset(${input}::jsonb) as t(page_id text, round integer, kind text, stage numeric,
      due_at timestamptz, other_round integer, other_kind text, other_stage numeric)
    ${newPages ? sql`join ${newPages} p on p.id = t.page_id` : sql`cross join lateral (select * from pages where pages.id = t.page_id limit 1) p`}
    left join lateral (
      select s.id from page_steps s where t.other_kind is not null and s.page_id = t.page_id and s.round = t.round
        and s.kind = t.kind and s.stage is not distinct from t.stage and s.state = 'done' limit 1) ran on true
    on conflict (page_id, round, kind, stage) do update
      set state = 'due', due_at = excluded.due_at, done_at = null, attempts = 0,
        turn_of = excluded.turn_of, turn_rank = excluded.turn_rank
      where known.state = 'cancelled'`;
  return [statement];
}

/** Makes the pending steps of a page due now. Returns whether there were any. */
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

/** Reschedules steps that an answer cancelled at `since` or later. Returns their number. */
export async function resumeSteps(tx: Tx, pageId: string, since: Temporal.Instant): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('page_steps')
    .set({ state: 'due', done_at: null })
    .where('page_id', '=', pageId)
    .where('state', '=', 'cancelled')
    .where('done_at', '>=', since)
    .executeTakeFirst();
  return Number(numUpdatedRows);
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

/** Acknowledged pages whose timeout or snooze has ended, oldest first. */
export async function dueReminders(db: Handle, clock: Clock, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pages')
    .select('id')
    .where('state', '=', 'acknowledged')
    .where('remind_at', '<=', clock.sql)
    .orderBy('remind_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function setReminder(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('pages').set({ remind_at: at }).where('id', '=', pageId).execute();
}

/** Postpones a reminder that failed, so that it does not block the others. */
export async function postponeReminder(
  db: Handle,
  clock: Clock,
  pageId: string,
  afterMs: number,
): Promise<void> {
  await sql`
    update pages set remind_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${pageId} and state = 'acknowledged'`.execute(db);
}

/** Whether the end of this acknowledgement was last set by a snooze. */
export async function isSnoozed(tx: Tx, pageId: string): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select kind from page_events where page_id = ${pageId} and kind in ('acknowledged', 'extended', 'snoozed')
    order by id desc limit 1`.execute(tx);
  return rows[0]?.kind === 'snoozed';
}
