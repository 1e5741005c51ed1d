import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';

/** Copies the page of a request, which is notifying, with its first step, due since the page was raised. Returns the ids of the copies. */
export async function pileUpSteps(
  db: Database,
  request: string,
  count: number,
  name = '',
): Promise<string[]> {
  await sql`
    with n as (select * from generate_series(1, ${count}::integer) as n), request as (
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      select 'request_' || ${name} || n, organization_id, kind, 'queued', message, credential, created_at, updated_at
      from requests, n where requests.id = ${request}
      returning id
    ), page as (
      insert into pages (id, organization_id, request_id, kind, team_id, user_id, title, text, urgency, state, reply_code, created_at)
      select 'page_' || ${name} || n, organization_id, 'request_' || ${name} || n, kind, team_id, user_id, title, text, urgency, state,
        reply_code, created_at
      from pages, n where request_id = ${request}
    )
    insert into page_steps (organization_id, page_id, round, kind, due_at, turn_of, turn_rank)
    select organization_id, 'page_' || ${name} || n, round, kind, created_at, turn_of, turn_rank
    from (select s.*, p.created_at from page_steps s join pages p on p.id = s.page_id
      where p.request_id = ${request} order by s.id limit 1) first, n`.execute(db);
  return Array.from({ length: count }, (_, index) => `page_${name}${index + 1}`);
}

/** Adds a notification that is due to each of these pages, in the turn of the page's step. */
export async function pileUpDeliveries(db: Database, pageIds: readonly string[]): Promise<void> {
  await sql`
    with responder as (
      insert into responders (organization_id, page_id, user_id, round, kind, why, started_at)
      select organization_id, id, coalesce(user_id, (select min(m.user_id) from team_members m where m.team_id = pages.team_id)),
        1, 'person', '{}', created_at
      from pages where id = any(${[...pageIds]}::text[])
      returning *
    )
    insert into deliveries (id, organization_id, page_id, responder_id, user_id, type, channel, address, rule, state, due_at,
      created_at, turn_of, turn_rank)
    select 'delivery_' || r.id, r.organization_id, r.page_id, r.id, r.user_id, 'page.notification', 'webhook',
      'https://example.com', 0, 'waiting', r.started_at, r.started_at, s.turn_of, s.turn_rank
    from responder r join page_steps s on s.page_id = r.page_id`.execute(db);
}

/** Adds calls of a webhook or source that were received at `at` and are queued. */
export async function pileUpCalls(
  db: Database,
  webhookId: string,
  count: number,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into received_notifications (id, organization_id, webhook_id, integration, headers, body, state, due_at, received_at, pages)
    select 'notification_' || id || n, organization_id, id, 'custom', '{}', convert_to('{"title": "Disk full"}', 'UTF8'), 'queued',
      ${at}, ${at}, pages
    from webhooks, generate_series(1, ${count}::integer) as n where id = ${webhookId}`.execute(db);
}
