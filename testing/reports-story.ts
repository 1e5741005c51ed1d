import { sql } from 'kysely';
import { type RotaStory, rotaStory } from './rota-story.ts';

/** Days of past shifts and pages in the example. */
const DAYS = 56;

/** The story of a planned schedule with eight weeks of history: shifts, pages at all hours, and answers. */
export async function reportsStory(): Promise<RotaStory> {
  const rota = await rotaStory();
  const { t } = rota;
  const now = await t.clock.now(t.db);
  await sql`update users set time_zone = 'Europe/Berlin'`.execute(t.db);
  await sql`update organizations set time_zone = 'Europe/Berlin'`.execute(t.db);
  // Weekly shifts up to the current one: in turn in the second stage, unevenly in the first.
  await sql`
    with first as (select stage, seat, min(starts_at) as starts_at from shifts group by stage, seat)
    insert into shifts (id, organization_id, schedule_id, stage, seat, user_id, planned_user_id, starts_at, ends_at,
      created_at, updated_at)
    select 'shift_past_' || m.stage || '_' || week, m.organization_id, m.schedule_id, m.stage, 1, m.user_id, m.user_id,
      f.starts_at - week * interval '7 days', f.starts_at - (week - 1) * interval '7 days', ${now}, ${now}
    from generate_series(1, ${DAYS / 7}::int) week
    join stage_members m on m.position = (week * 5 / 2) % (case when m.stage = 1 then 4 else 3 end)
    join first f on f.stage = m.stage
    where not exists (select from shifts h where h.schedule_id = m.schedule_id and h.stage = m.stage
      and tstzrange(h.starts_at, h.ends_at) &&
        tstzrange(f.starts_at - week * interval '7 days', f.starts_at - (week - 1) * interval '7 days'))`.execute(
    t.db,
  );
  // Ninety pages at typical hours.
  await sql`
    insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
    select 'request_past_' || n, id, 'page.team', 'succeeded', '', 'story', ${now}, ${now}, ${now}
    from organizations, generate_series(1, 90) n`.execute(t.db);
  await sql`
    insert into pages (id, organization_id, request_id, kind, team_id, title, text, source_url, urgency, state, reply_code,
      created_at, acknowledged_at, acknowledged_by, expired_at)
    select 'page_past_' || n, team.organization_id, 'request_past_' || n, 'team', team.id, 'Disk full', 'db-1', host, urgency,
      case when n % 23 = 0 then 'expired' else 'acknowledged' end, n::text, at,
      case when n % 23 > 0 then at + (30 + n * 37 % 600) * interval '1 second' end,
      case when n % 23 > 0 then on_call.user_id end,
      case when n % 23 = 0 then at + interval '45 minutes' end
    from teams team, generate_series(1, 90) n,
      lateral (select ${now}::timestamptz - ((n * 29) % ${DAYS}::int) * interval '1 day' - (n * 7 % 19) * interval '1 hour' as at,
        (array['high', 'medium', 'high', 'low'])[1 + n % 4] as urgency,
        (array['https://grafana.example.com/a', 'https://alertmanager.example.com/b', 'https://grafana.example.com/c',
          'https://status.example.org/d'])[1 + n % 4] as host) page,
      lateral (select user_id from shifts where stage = 1 and tstzrange(starts_at, ends_at) @> at limit 1) on_call`.execute(
    t.db,
  );
  await sql`
    insert into responders (organization_id, page_id, user_id, round, kind, stage, why, started_at)
    select distinct p.organization_id, p.id, h.user_id, 1, case when h.stage = 1 then 'stage' else 'backstop' end, h.stage,
      '{"reason": "on call", "schedule": "Site Reliability"}'::jsonb, p.created_at + (h.stage - 1) * interval '5 minutes'
    from pages p join shifts h on tstzrange(h.starts_at, h.ends_at) @> p.created_at and h.user_id is not null
    where h.stage = 1 or right(p.id, 1)::int % 3 = 0`.execute(t.db);
  return rota;
}
