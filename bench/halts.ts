import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { databaseClock } from '../src/db/clock.ts';
import type { Database } from '../src/db/database.ts';
import { createLog } from '../src/kit/log.ts';
import { solveDrafts } from '../src/planning/drafts/solve.ts';
import { planSchedule } from '../src/planning/plan-schedule.ts';
import { withSolvedPlans } from '../src/planning/solved-plans.ts';
import { insertDraft } from '../src/planning/store.ts';
import type { Solver } from '../src/planning/threads/solver.ts';
import { line, milliseconds } from './figures.ts';

/**
 * The longest time for which the event loop is blocked while a schedule is planned for the first time, planned again,
 * and drafted.
 */
export async function measureHalts(
  services: { db: Database; solver: Solver },
  scheduleId: string,
): Promise<void> {
  const { db } = services;
  const planning = { ...services, clock: databaseClock };
  const plan = () => withSolvedPlans(planning, (tx, at, plans) => planSchedule(tx, at, scheduleId, plans));
  await db.transaction().execute(async (tx) => {
    await sql`delete from shifts where schedule_id = ${scheduleId}`.execute(tx);
    await sql`update schedules set planned_until = null, settled = null where id = ${scheduleId}`.execute(tx);
  });
  const halts = [await longestHalt(plan), await longestHalt(plan)];
  await askForDraft(db, scheduleId);
  halts.push(await longestHalt(() => solveDrafts(planning, createLog('silent'), () => undefined)));
  line('  longest halt: planned, planned again, a draft', ...halts.map(milliseconds));
}

async function askForDraft(db: Database, scheduleId: string): Promise<void> {
  const { organization_id: organizationId, planned_until: endsAt } = await db
    .selectFrom('schedules')
    .select(['organization_id', 'planned_until'])
    .where('id', '=', scheduleId)
    .executeTakeFirstOrThrow();
  const { id: createdBy } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const at = await databaseClock.now(db);
  const startsAt = at.add({ hours: 72 });
  const draft = { organizationId, scheduleId, startsAt, endsAt: endsAt ?? startsAt, createdBy };
  await db.transaction().execute((tx) => insertDraft(tx, at, { ...draft, freedom: 'fresh' }));
}

/**
 * Measured by the processor time of this thread between two turns of its event loop, so other load on the machine does
 * not matter.
 */
async function longestHalt(work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const watching = watch(over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  return watching;
}

async function watch(over: AbortSignal): Promise<number> {
  let [longest, before] = [0, used()];
  while (!over.aborted) {
    await pause(0);
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
