/**
 * `npm run bench -- reports`: duration of reports over a year with 200 people, 10,000 pages and 50 schedules of two
 * stages, of which every fifth has daily and the others weekly shifts. Uses a server with an embedded database of its
 * own.
 */
import { type RawBuilder, sql } from 'kysely';
import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { processorMs } from './processor-time.ts';
import { type RunningServer, startServer } from './server.ts';

const ORGANIZATION = JSON.stringify({
  organization: { name: 'Bench', time_zone: 'Europe/Berlin' },
  users: [{ email: 'ada@example.com', role: 'owner' }],
  teams: [{ slug: 'sre', members: ['ada@example.com'] }],
});
const [PEOPLE, SCHEDULES, DAYS, PAGES] = [200, 50, 366, 10_000];
const TIMES = 25;
/** The first runs, which include JIT compilation. */
const TIMES_COLD = 6;

const server = await startServer(ORGANIZATION, {}, 'api');
const db = createDatabase(createPool({ connection: server.connection, max: 2, name: 'bench' }));
try {
  await fill(db);
  line('reports over a year, 200 people, 10,000 pages', 'median', '95th', 'first', 'processor');
  for (const name of ['fairness', 'responses', 'load']) await measure(server, name);
} finally {
  await db.destroy();
  await server.stop();
}

async function fill(db: Database): Promise<void> {
  await sql`
    insert into users (id, organization_id, email, name, username, role, time_zone, created_at, updated_at)
    select 'organization_user_' || lpad(n::text, 26, '0'), o.id, 'p' || n || '@example.com', 'Person ' || n, 'p' || n,
      'member', (array['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'])[1 + n % 3], now(), now()
    from organizations o, generate_series(1, ${PEOPLE}::int) n`.execute(db);
  await sql`
    insert into schedules (id, organization_id, team_id, name, enabled, time_zone, strategy, pattern, created_at, updated_at)
    select 'schedule_' || lpad(n::text, 26, '0'), t.organization_id, t.id, 'Schedule ' || n, true,
      (array['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'])[1 + n % 3], 'rotation',
      '{"every": "day", "handoff": "09:00"}', now() - interval '400 days', now()
    from teams t, generate_series(1, ${SCHEDULES}::int) n`.execute(db);
  await sql`
    insert into schedule_stages (organization_id, schedule_id, stage)
    select organization_id, id, stage from schedules, generate_series(1, 2) stage`.execute(db);
  // Eight people in each stage.
  await sql`
    insert into stage_members (organization_id, schedule_id, stage, user_id, position)
    select s.organization_id, s.schedule_id, s.stage, u.id, k
    from schedule_stages s cross join generate_series(0, 7) k
    join users u on u.username = 'p' || (1 + (right(s.schedule_id, 4)::int * 8 + s.stage::int * 8 + k) % ${PEOPLE}::int)`.execute(
    db,
  );
  await addShifts(db, 1, sql`right(m.schedule_id, 4)::int % 5 = 0`);
  await addShifts(db, 7, sql`right(m.schedule_id, 4)::int % 5 > 0`);
  await sql`
    insert into availabilities (id, organization_id, user_id, type, name, starts_at, ends_at, created_at, updated_at)
    select 'availability_' || lpad((right(u.id, 4)::int * 100 + n)::text, 26, '0'), u.organization_id, u.id,
      (array['hard_unavailable', 'soft_unavailable', 'requested'])[1 + n % 3], '', now() - n * interval '15 days',
      now() - n * interval '15 days' + interval '3 days', now(), now()
    from users u, generate_series(1, 24) n where u.username <> 'ada'`.execute(db);
  await sql`
    insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
    select 'request_' || lpad(n::text, 26, '0'), o.id, 'page.team', 'succeeded', '', 'bench', now(), now(), now()
    from organizations o, generate_series(1, ${PAGES}::int) n`.execute(db);
  await sql`
    insert into pages (id, organization_id, request_id, kind, team_id, title, text, source_url, urgency, state, reply_code,
      created_at, acknowledged_at, acknowledged_by)
    select 'page_' || lpad(n::text, 26, '0'), t.organization_id, 'request_' || lpad(n::text, 26, '0'), 'team', t.id, 'Disk full',
      'db', 'https://grafana' || n % 30 || '.example.com/d/' || n, (array['low', 'medium', 'high'])[1 + n % 3], 'acknowledged',
      n::text, at, at + n % 900 * interval '1 second', 'organization_user_' || lpad((1 + n % ${PEOPLE}::int)::text, 26, '0')
    from teams t, generate_series(1, ${PAGES}::int) n,
      lateral (select now() - n * interval '52 minutes' as at) times`.execute(db);
  await sql`
    insert into responders (organization_id, page_id, user_id, round, kind, stage, why, started_at)
    select p.organization_id, p.id, 'organization_user_' || lpad((1 + (right(p.id, 5)::int + k) % ${PEOPLE}::int)::text, 26, '0'),
      1, 'stage', 1 + k, '{"reason": "on call", "schedule": "Schedule 1"}', p.created_at + k * interval '5 minutes'
    from pages p, generate_series(0, 1) k where k = 0 or right(p.id, 1)::int < 5`.execute(db);
  await sql`analyze`.execute(db);
}

async function addShifts(db: Database, days: number, which: RawBuilder<unknown>): Promise<void> {
  const batch = 60 * days;
  for (let day = 0; day < DAYS; day += batch)
    await sql`
      insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, starts_at, ends_at,
        created_at, updated_at)
      select 'shift_' || lpad(right(m.schedule_id, 4) || m.stage || lpad(day::text, 4, '0'), 26, '0'), m.organization_id,
        m.schedule_id, m.stage, 1, m.user_id, m.user_id,
        date_trunc('day', now()) - (day + ${days}::int) * interval '1 day' + interval '9 hours',
        date_trunc('day', now()) - day * interval '1 day' + interval '9 hours', now(), now()
      from generate_series(${day}::int, ${Math.min(DAYS, day + batch) - 1}::int, ${days}::int) day
      join stage_members m on m.position = day / ${days}::int % 8 and ${which}`.execute(db);
}

async function measure({ url, key, pid }: RunningServer, name: string): Promise<void> {
  const to = Temporal.Now.instant();
  const range = `from=${to.subtract({ hours: 365 * 24 })}&to=${to}`;
  const durations: number[] = [];
  let spent = 0;
  for (let time = 0; time <= TIMES; time++) {
    if (time === TIMES_COLD) spent = await processorMs(pid);
    const begun = performance.now();
    const answer = await fetch(`${url}/api/reports/${name}?${range}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${text}`);
    durations.push(performance.now() - begun);
  }
  const each = ((await processorMs(pid)) - spent) / (TIMES + 1 - TIMES_COLD);
  const [first = Number.NaN, ...later] = durations;
  line(
    name,
    milliseconds(percentile(later, 0.5)),
    milliseconds(percentile(later, 0.95)),
    milliseconds(first),
    milliseconds(each),
  );
}
