import type { Client } from 'pg';

/** Rows of each kind per statement, which takes a few seconds. */
const PART = 100_000;
/** Of more rows, an index is made faster afterwards than row by row. */
const MANY = 1_000_000;

/**
 * Gives the first team a history of finished pages, numbered `from` to `to`, with their requests, steps, responders,
 * deliveries and timelines, and as many resolved moments with their calls. All of it is from the last weeks, so that
 * retention removes nothing. Ids sort before those of today, as older ids do.
 */
export async function addHistory(client: Client, from: number, to: number): Promise<void> {
  await client.query(
    `set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off;
     set maintenance_work_mem = '1GB'`,
  );
  const indexes = to - from > MANY ? await dropIndexes(client) : [];
  for (let at = from; at < to; at += PART)
    for (const statement of STATEMENTS)
      await client.query(statement.replace(':rows', rowsOf(at, Math.min(to, at + PART))));
  for (const definition of indexes) await client.query(definition);
  await client.query('vacuum analyze');
}

/** Drops the indexes of the filled tables, except those of constraints, and returns the statements that create them. */
async function dropIndexes(client: Client): Promise<string[]> {
  const tables = STATEMENTS.map((statement) => /^insert into (\w+)/.exec(statement)?.[1]);
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

function rowsOf(from: number, to: number): string {
  return `(select n, lpad(to_hex(n), 26, '0') as key, now() - interval '20 days' + n % 1000000 * interval '1 second' as at,
      t.organization_id as org, t.id as team, m.user_id as person, w.id as hook
    from generate_series(${from}::bigint, ${to - 1}) n,
      (select * from teams order by id limit 1) t, (select * from team_members order by user_id limit 1) m,
      (select * from webhooks order by id limit 1) w) h`;
}

const STATEMENTS = [
  `insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
   select 'request_0' || key, org, 'page.team', 'succeeded', 'The page was delivered.', 'api_key_history', at, at, at from :rows`,
  `insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
   select 'request_1' || key, org, 'webhook', 'succeeded', 'Recorded.', 'webhook_history', at, at, at from :rows`,
  `insert into pages (id, organization_id, request_id, kind, team_id, title, text, urgency, state, reply_code, raised_by,
     created_at, acknowledged_at, acknowledged_by, resolved_at)
   select 'page_0' || key, org, 'request_0' || key, 'team', team, 'Disk ' || n || ' full', 'db-1 has no space left', 'high',
     'resolved', '1234', person, at, at, person, at from :rows`,
  `insert into page_steps (organization_id, page_id, round, kind, stage, due_at, state, done_at)
   select org, 'page_0' || key, 1, 'stage', 1, at, 'done', at from :rows`,
  `insert into responders (id, organization_id, page_id, user_id, round, kind, stage, why, started_at) overriding system value
   select 1000000000 + n, org, 'page_0' || key, person, 1, 'stage', 1, '{}', at from :rows`,
  `insert into deliveries (id, organization_id, page_id, responder_id, user_id, type, channel, address, rule, state, due_at,
     attempts, provider_id, sent_at, accepted_at, finished_at, created_at)
   select 'delivery_0' || key, org, 'page_0' || key, 1000000000 + n, person, 'page.notification', 'webhook',
     'http://127.0.0.1/ada', 0, 'delivered', at, 1, 'provider-' || n, at, at, at, at from :rows`,
  `insert into delivery_attempts (delivery_id, attempt, organization_id, node, begun_at, ended_at, outcome)
   select 'delivery_0' || key, 1, org, 1, at, at, 'accepted' from :rows`,
  `insert into page_events (organization_id, page_id, at, kind, user_id)
   select org, 'page_0' || key, at, k.kind, person from :rows, (values ('raised'), ('notified'), ('acknowledged')) k (kind)`,
  `insert into moments (id, organization_id, team_id, webhook_id, name, type, description, priority, source, occurred_at, state,
     dedup_key, last_event_at, resolved_at, created_at, updated_at)
   select 'moment_0' || key, org, team, hook, 'Disk full on host ' || n % 5000, 'alert', 'No space left on device', 'high',
     'prometheus', at, 'resolved', 'host-' || n % 5000, at, at, at, at from :rows`,
  `insert into received_notifications (id, organization_id, webhook_id, request_id, integration, headers, body, state,
     attempts, due_at, received_at, processed_at)
   select 'notification_0' || key, org, hook, 'request_1' || key, 'custom', '{}', '{"name": "Disk full"}', 'success', 1, at, at, at
   from :rows`,
  `insert into notification_moments (notification_id, moment_id, organization_id, position)
   select 'notification_0' || key, 'moment_0' || key, org, 0 from :rows`,
];
