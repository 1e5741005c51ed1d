import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import { percentile } from './figures.ts';
import type { RunningServer } from './server.ts';

const YEARS = 5;

export type Filled = { db: Database; server: RunningServer; schedules: number };

/**
 * Median durations of one GET in milliseconds, on a server with few and on one with many schedules in the organization,
 * and their ratio. Both are measured in turn, so other load on the machine affects both.
 */
export async function oncallRatio(
  few: Filled,
  many: Filled,
  times: number,
): Promise<{ few: number; many: number; ratio: number }> {
  const ids = [];
  for (const { db, schedules } of [few, many]) ids.push(await addSchedules(db, schedules));
  const durations: [number[], number[]] = [[], []];
  for (let time = 0; time < times + WARM_UP; time++)
    for (const [index, { server }] of [few, many].entries()) {
      const duration = await measure(server, ids[index] ?? '');
      if (time >= WARM_UP) durations[index]?.push(duration);
    }
  const [one, other] = durations.map((own) => percentile(own, 0.5));
  return { few: one ?? 0, many: other ?? 0, ratio: (other ?? 0) / (one ?? 1) };
}

const WARM_UP = 50;

/** Adds similar schedules with weekly shifts in two stages that began years ago. Returns the id of the first one. */
async function addSchedules(db: Database, to: number): Promise<string> {
  const id = (number: number) => `schedule_${String(number).padStart(26, '0')}`;
  await sql`
    insert into schedules (id, organization_id, team_id, name, enabled, time_zone, strategy, pattern, created_at, updated_at)
    select 'schedule_' || lpad(n::text, 26, '0'), team.organization_id, team.id, 'Filler ' || n, true, 'UTC', 'rotation',
      '{"every": "week", "handoff": "Monday 09:00"}', now(), now()
    from generate_series(1, ${to}::int) n, (select * from teams limit 1) team`.execute(db);
  for (let first = 1; first <= to; first += BATCH)
    await addShifts(db, first, Math.min(to, first + BATCH - 1));
  await sql`analyze shifts`.execute(db);
  await sql`analyze schedules`.execute(db);
  return id(1);
}

const BATCH = 20;

async function addShifts(db: Database, from: number, to: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // On a busy machine these statements exceed the timeout of requests.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`
      with people as (select array_agg(id order by id) as ids from users)
      insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, starts_at, ends_at,
        created_at, updated_at)
      select 'shift_' || lpad((n * 10000 + week * 10 + stage)::text, 26, '0'), s.organization_id, s.id, stage, 1,
        people.ids[1 + (week + n + stage) % array_length(people.ids, 1)],
        people.ids[1 + (week + n + stage) % array_length(people.ids, 1)],
        date_trunc('week', now()) - (week - 12) * interval '7 days',
        date_trunc('week', now()) - (week - 13) * interval '7 days', now(), now()
      from generate_series(${from}::int, ${to}::int) n
      join schedules s on s.id = 'schedule_' || lpad(n::text, 26, '0'), people,
        generate_series(0, ${YEARS * 52}::int) week, generate_series(1, 2) stage`.execute(tx);
  });
}

async function measure({ url, key }: RunningServer, scheduleId: string): Promise<number> {
  const now = Temporal.Now.instant();
  const range = `time_range[start]=${now}&time_range[end]=${now.add({ hours: 24 * 28 })}`;
  const begun = performance.now();
  const answer = await fetch(`${url}/schedules/${scheduleId}/oncalls?${range}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { oncalls } = (await answer.json()) as { oncalls: unknown[] };
  if (answer.status !== 200 || oncalls.length < 8)
    throw new Error(`the answer is ${answer.status} with ${oncalls?.length} on-calls`);
  return performance.now() - begun;
}
