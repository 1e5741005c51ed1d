import { sql } from 'kysely';
import type { Handle, Tx } from '../db/database.ts';
import type { ActingSource } from '../pages/event-contract.ts';
import type { PageSignal } from '../pages/keyed.ts';
import type { PageKey } from '../pages/keyed-store.ts';
import type { Row } from './aboard-store.ts';

/** An acknowledgement or resolution by dedup key that a lifeboat accepted. */
export type LifeboatAnswer = {
  organizationId: string;
  scope: string;
  dedupKey: string;
  action: 'acknowledge' | 'unacknowledge' | 'resolve';
  receivedAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  source: ActingSource | null;
  userId: string | null;
};

/** The row of an answer that a lifeboat accepted. */
export function answerRow({ organizationId, scope, dedupKey, action, receivedAt, ...more }: PageSignal): Row {
  return {
    ...{ organization_id: organizationId, dedup_scope: scope, dedup_key: dedupKey, action },
    ...{ received_at: receivedAt, sent_at: more.sentAt ?? null, source: more.source, user_id: more.userId },
  };
}

/** Stores answers. Only the newest of each key and kind is kept, so that repeats do not accumulate. */
export async function storeAnswers(tx: Tx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into lifeboat_answers (organization_id, dedup_scope, dedup_key, action, received_at, sent_at, source, user_id)
    select distinct on (organization_id, dedup_scope, dedup_key, action)
      organization_id, dedup_scope, dedup_key, action, received_at, sent_at, source,
      (select id from users u where u.organization_id = n.organization_id and u.id = n.user_id)
    from jsonb_populate_recordset(null::lifeboat_answers, ${JSON.stringify(rows)}::jsonb) n
    where exists (select from organizations o where o.id = n.organization_id)
    order by organization_id, dedup_scope, dedup_key, action, received_at desc
    on conflict (organization_id, dedup_scope, dedup_key, action) do update
      set received_at = excluded.received_at, sent_at = excluded.sent_at, source = excluded.source, user_id = excluded.user_id
      where lifeboat_answers.received_at < excluded.received_at`.execute(tx);
}

/** The answers for these keys, in the order of their receipt. */
export async function findAnswers(tx: Tx, keys: readonly PageKey[]): Promise<LifeboatAnswer[]> {
  const named = keys.flatMap(({ organizationId, scope, dedupKey }) =>
    scope === null || dedupKey === null
      ? []
      : [{ organization_id: organizationId, scope, dedup_key: dedupKey }],
  );
  if (named.length === 0) return [];
  const { rows } = await sql<LifeboatAnswer>`
    select organization_id as "organizationId", dedup_scope as scope, dedup_key as "dedupKey", action,
      received_at as "receivedAt", sent_at as "sentAt", source, user_id as "userId"
    from lifeboat_answers
    where (organization_id, dedup_scope, dedup_key) in (
      select organization_id, scope, dedup_key from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as key(organization_id text, scope text, dedup_key text))
    order by received_at`.execute(tx);
  return rows;
}

/** Deletes waiting triggers in this database that have these answers' keys and were received before their end. */
export async function endWaiting(tx: Tx, answers: readonly LifeboatAnswer[]): Promise<void> {
  const input = answers.flatMap(({ action, scope, dedupKey, receivedAt }) =>
    action === 'resolve' ? [{ source_id: scope, dedup_key: dedupKey, at: receivedAt }] : [],
  );
  if (input.length === 0) return;
  await sql`
    delete from waiting_pages w
    using jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as ended(source_id text, dedup_key text, at timestamptz)
    where w.source_id = ended.source_id and w.dedup_key = ended.dedup_key
      and coalesce(w.triggered_at, w.created_at) < ended.at`.execute(tx);
}

export async function forgetAnswers(local: Handle): Promise<void> {
  await sql`delete from lifeboat_answers`.execute(local);
}
