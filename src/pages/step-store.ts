import { type Selectable, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { inIndexOrder } from '../db/in-index-order.ts';
import type { Pages } from '../db/schema.ts';
import type { Step, StepKind } from './escalation.ts';
import { type PageRow, pageRow } from './store.ts';

/** A step that is due, and its page. */
export type DueStep = {
  id: number;
  step: Step;
  page: PageRow;
  /** How often it failed. */
  failures: number;
  /** It may have run before, on a server that failed over. */
  mayRepeat: boolean;
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
  now: Temporal.Instant;
};

/**
 * Takes the steps that have waited longest, with their pages, at most one for each page. The row locks are the leases:
 * they end with the transaction, or when the worker dies. Rows locked by other workers are skipped. It uses `no key
 * update`, because `update` would also skip a page while a row that refers to it is inserted.
 */
export async function takeDueSteps(
  tx: Tx,
  clock: Clock,
  which: { limit: number; id?: number; failedBefore?: boolean },
): Promise<DueStep[]> {
  const one = which.id === undefined ? sql`` : sql`and s.id = ${which.id}`;
  const tried =
    which.failedBefore === undefined
      ? sql``
      : which.failedBefore
        ? sql`and s.attempts > 0`
        : sql`and s.attempts = 0`;
  const due = sql<StepAndPage>`
    select s.id as step_id, s.kind as step_kind, s.stage, s.round as step_round, s.attempts as failures, s.may_repeat,
      ${clock.sql} as now, p.*
    from page_steps s join pages p on p.id = s.page_id
    where s.state = 'due' and s.due_at <= ${clock.sql} ${one} ${tried}
    order by s.due_at, s.id limit ${which.limit} for no key update of s, p skip locked`;
  // Look up a single step by primary key, because in the order of the queue all steps before it would be read.
  const { rows } =
    which.id === undefined ? await inIndexOrder(tx, (side) => due.execute(side)) : await due.execute(tx);
  const seen = new Set<string>();
  return rows
    .filter((row) => !seen.has(row.id) && seen.add(row.id))
    .map((row) => ({
      id: row.step_id,
      step: { kind: row.step_kind, stage: row.stage, round: row.step_round },
      page: pageRow(row),
      failures: row.failures,
      mayRepeat: row.may_repeat,
      now: row.now,
    }));
}

/** Whether a step is due that has failed before. */
export async function anyFailedBefore(db: Handle, clock: Clock): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from page_steps where state = 'due' and attempts > 0 and due_at <= ${clock.sql}) as any`.execute(
    db,
  );
  return rows[0]?.any === true;
}

/** Postpones a step that failed, so that it does not block others and is tried again. */
export async function postponeStep(db: Handle, clock: Clock, stepId: number, afterMs: number): Promise<void> {
  await sql`
    update page_steps set attempts = attempts + 1, due_at = ${clock.sql} + ${afterMs}::double precision * interval '1 millisecond'
    where id = ${stepId} and state = 'due'`.execute(db);
}

/**
 * Finds pages whose notifications are late: sent more than a minute late, or due and not sent. Returns when the last
 * one was sent, or `at` if one is not sent. Only first attempts count, because a retried notification was sent before.
 */
export async function lateNotifications(
  tx: Tx,
  pageIds: readonly string[],
  at: Temporal.Instant,
): Promise<Map<string, Temporal.Instant>> {
  if (pageIds.length === 0) return new Map();
  const { rows } = await sql<{ page_id: string; latest: Temporal.Instant }>`
    select page_id, max(case when state = 'waiting' then ${at} else sent_at end) as latest from deliveries
    where page_id = any(${[...pageIds]}::text[])
      and (state = 'waiting' and due_at <= ${at} or attempts = 1 and sent_at > due_at + interval '1 minute')
    group by page_id`.execute(tx);
  return new Map(rows.map((row) => [row.page_id, row.latest]));
}

/** Postpones a step without counting a failure. */
export async function putOffStep(tx: Tx, stepId: number, dueAt: Temporal.Instant): Promise<void> {
  await tx.updateTable('page_steps').set({ due_at: dueAt }).where('id', '=', stepId).execute();
}

export async function finishSteps(
  tx: Tx,
  steps: readonly { id: number }[],
  state: 'done' | 'cancelled',
  at: Temporal.Instant,
): Promise<void> {
  if (steps.length === 0) return;
  const ids = steps.map(({ id }) => id);
  await tx
    .updateTable('page_steps')
    .set({ state, done_at: at })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/** Updates the round of pages whose step begins a new one. */
export async function setRounds(tx: Tx, steps: readonly DueStep[]): Promise<void> {
  for (const { page, step } of steps) {
    if (step.round > page.round)
      await tx.updateTable('pages').set({ round: step.round }).where('id', '=', page.id).execute();
  }
}

export type NewStep = { page: { id: string; organizationId: string }; step: Step; dueAt: Temporal.Instant };

/**
 * Schedules the next steps. A step that is due or has run in this round does not change; a cancelled one becomes due
 * again. Returns how many steps were scheduled.
 */
export async function scheduleSteps(tx: Tx, steps: readonly NewStep[]): Promise<number> {
  if (steps.length === 0) return 0;
  const rows = steps.map(({ page, step, dueAt }) => ({
    organization_id: page.organizationId,
    page_id: page.id,
    round: step.round,
    kind: step.kind,
    stage: step.stage,
    due_at: dueAt,
  }));
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('page_steps')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['page_id', 'round', 'kind', 'stage'])
        .doUpdateSet((eb) => ({
          state: 'due',
          due_at: eb.ref('excluded.due_at'),
          done_at: null,
          attempts: 0,
        }))
        .where('page_steps.state', '=', 'cancelled'),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0);
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
