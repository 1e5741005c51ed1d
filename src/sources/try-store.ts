import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { CallingSource, ClaimedCall } from '../webhooks/call-store.ts';

/** A source as the processing of its calls knows it. */
export type TriedSource = Pick<ClaimedCall, 'organizationId' | 'teamId' | 'webhookId' | 'settings'> & {
  source: CallingSource;
};

/** Null when there is no such source, or it was revoked. */
export async function findTriedSource(db: Handle, id: string): Promise<TriedSource | null> {
  const { rows } = await sql<TriedSource>`
    select w.organization_id as "organizationId", w.team_id as "teamId", w.id as "webhookId", w.settings,
      jsonb_build_object('name', w.name, 'type', w.type, 'settings', s.settings) as source
    from webhooks w join page_sources s on s.id = w.id
    where w.id = ${id} and w.pages and w.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

export async function findTeamNamed(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<{ name: string; slug: string } | null> {
  const row = await db
    .selectFrom('teams')
    .select(['name', 'slug'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** A dry run must not wait for real calls of the same dedup key for long, nor make them wait. */
export async function limitTime(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', '2s', true), set_config('statement_timeout', '5s', true)`.execute(
    tx,
  );
}

/** Writes a call and its request as if it had been accepted and claimed. */
export async function insertTried(tx: Tx, at: Temporal.Instant, call: ClaimedCall): Promise<void> {
  await sql`
    with request as (
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      values (${call.requestId}, ${call.organizationId}, 'source', 'processing', '', ${call.webhookId}, ${at}, ${at})
      returning id
    )
    insert into received_notifications (id, organization_id, webhook_id, request_id, integration, headers, body,
      state, attempts, due_at, received_at, pages)
    select ${call.id}, ${call.organizationId}, ${call.webhookId}, request.id, ${call.integration},
      ${JSON.stringify(call.headers)}::jsonb, ${call.body}, 'queued', ${call.attempts}, ${at}, ${at}, true
    from request`.execute(tx);
}
