import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';

/** The size of an organization. */
export type Amounts = { pages: number; moments: number; people: number; teams: number; schedules: number };

const MEMBERS = 12;
const WEEKS = 52;

/** An operator's file with these people and teams; `fill` adds their history. */
export function organizationOf({ people, teams }: Amounts): string {
  const email = (n: number) => (n === 0 ? 'ada@example.com' : `person${n}@example.com`);
  return JSON.stringify({
    organization: { name: 'Bench', time_zone: 'UTC' },
    users: Array.from({ length: people }, (_, n) => ({
      email: email(n),
      name: `Person ${n}`,
      role: n === 0 ? 'owner' : 'member',
      contact_methods: [{ type: 'email', value: email(n) }],
    })),
    teams: Array.from({ length: teams }, (_, team) => ({
      slug: `team-${team}`,
      name: `Team ${team}`,
      members: Array.from({ length: MEMBERS }, (_, n) => email((team * MEMBERS + n) % people)),
    })),
  });
}

/** Inserts a year of answered pages, moments and shifts into the tables directly. */
export async function fill(db: Database, amounts: Amounts): Promise<void> {
  await fillSchedules(db, amounts.schedules);
  await fillPages(db, amounts.pages);
  await fillMoments(db, amounts.moments);
  for (const table of ['pages', 'requests', 'responders', 'deliveries', 'moments', 'shifts', 'schedules'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

async function fillSchedules(db: Database, count: number): Promise<void> {
  await sql`
    with t as (select id, organization_id, row_number() over (order by id) - 1 as place, count(*) over () as all_of from teams)
    insert into schedules (id, organization_id, team_id, name, enabled, time_zone, strategy, pattern, created_at, updated_at)
    select 'schedule_' || lpad(n::text, 26, '0'), t.organization_id, t.id, 'Schedule ' || n, true, 'UTC', 'rotation',
      '{"every": "week", "handoff": "Monday 09:00"}', now(), now()
    from generate_series(1, ${count}::int) n join t on t.place = n % t.all_of`.execute(db);
  await sql`
    insert into schedule_stages (organization_id, schedule_id, stage, escalate_after_seconds, seats)
    select organization_id, id, stage, 300, 1 from schedules, generate_series(1, 2) stage`.execute(db);
  await sql`
    insert into stage_members (organization_id, schedule_id, stage, user_id, position)
    select s.organization_id, s.id, stage, m.user_id, row_number() over (partition by s.id, stage order by m.user_id)
    from schedules s join team_members m on m.team_id = s.team_id, generate_series(1, 2) stage`.execute(db);
  await sql`
    with people as (select array_agg(id order by id) as ids from users)
    insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, starts_at, ends_at, created_at,
      updated_at)
    select 'shift_' || lpad((row_number() over ())::text, 26, '0'), s.organization_id, s.id, stage, 1,
      people.ids[1 + (week + stage * 7) % array_length(people.ids, 1)],
      people.ids[1 + (week + stage * 7) % array_length(people.ids, 1)],
      date_trunc('week', now()) + (week - ${WEEKS / 2}::int) * interval '7 days',
      date_trunc('week', now()) + (week - ${WEEKS / 2 - 1}::int) * interval '7 days', now(), now()
    from schedules s, people, generate_series(1, 2) stage, generate_series(1, ${WEEKS}::int) week`.execute(
    db,
  );
}

/** Every page was for a team, was sent to one person by email, and was answered; ten are still open. */
async function fillPages(db: Database, count: number): Promise<void> {
  const times = sql`now() - (${count}::int - n) * interval '50 minutes'`;
  await sql`
    insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
    select 'request_' || lpad(n::text, 26, '0'), o.id, 'page.team', 'succeeded', 'The page was handed to a provider.', 'bench',
      ${times}, ${times}, ${times}
    from generate_series(1, ${count}::int) n, organizations o`.execute(db);
  await sql`
    with t as (select id, organization_id, row_number() over (order by id) - 1 as place, count(*) over () as all_of from teams),
      p as (select array_agg(id order by id) as ids from users)
    insert into pages (id, organization_id, request_id, kind, team_id, title, text, urgency, state, reply_code, created_at,
      acknowledged_at, acknowledged_by, acknowledged_via, resolved_at, resolved_by)
    select 'page_' || lpad(n::text, 26, '0'), t.organization_id, 'request_' || lpad(n::text, 26, '0'), 'team', t.id,
      'Checkout fails in region ' || n, 'Error rate 41 %. ' || repeat('More about it. ', 20),
      (array['low', 'medium', 'high'])[1 + n % 3], case when n > ${count - 10}::int then 'acknowledged' else 'resolved' end,
      lpad(n::text, 6, '0'), ${times}, ${times} + interval '3 minutes', p.ids[1 + n % array_length(p.ids, 1)], 'dashboard',
      case when n > ${count - 10}::int then null else ${times} + interval '40 minutes' end,
      case when n > ${count - 10}::int then null else p.ids[1 + n % array_length(p.ids, 1)] end
    from generate_series(1, ${count}::int) n join t on t.place = n % t.all_of, p`.execute(db);
  await sql`
    insert into responders (organization_id, page_id, user_id, round, kind, stage, why, started_at)
    select organization_id, id, acknowledged_by, 1, 'stage', 1, '{}', created_at from pages`.execute(db);
  await sql`
    insert into deliveries (id, organization_id, page_id, responder_id, user_id, type, channel, address, rule, state, due_at,
      accepted_at, sent_at, finished_at, created_at)
    select 'delivery_' || lpad(r.id::text, 26, '0'), r.organization_id, r.page_id, r.id, r.user_id, 'page.notification', 'email',
      'somebody@example.com', 0, 'delivered', r.started_at, r.started_at, r.started_at, r.started_at, r.started_at
    from responders r`.execute(db);
}

async function fillMoments(db: Database, count: number): Promise<void> {
  const times = sql`now() - (${count}::int - n) * interval '5 minutes'`;
  await sql`
    with t as (select id, organization_id, row_number() over (order by id) - 1 as place, count(*) over () as all_of from teams)
    insert into moments (id, organization_id, team_id, name, type, description, priority, source, occurred_at, state, last_event_at,
      resolved_at, created_at, updated_at)
    select 'moment_' || lpad(n::text, 26, '0'), t.organization_id, t.id, 'Disk of db-' || n || ' fills up',
      (array['alert', 'incident', 'near-miss'])[1 + n % 3], 'No space is left in two hours.',
      (array['low', 'medium', 'high'])[1 + n % 3], 'Prometheus', ${times}, case when n % 3 = 0 then 'open' else 'resolved' end,
      ${times}, case when n % 3 = 0 then null else ${times} end, ${times}, ${times}
    from generate_series(1, ${count}::int) n join t on t.place = n % t.all_of`.execute(db);
}
