import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { Acceptance } from './acceptance.ts';
import type { RequestKind, RequestStatus } from './contract.ts';

/**
 * Writes all requests, and through `tail` what they are about, in one statement and so in one commit. Returns the ids
 * of those written: the others carried an idempotency key that was already known.
 */
export async function acceptAll(
  db: Handle,
  clock: Clock,
  items: readonly Acceptance[],
  tail: RawBuilder<unknown>,
): Promise<Set<string>> {
  const input = JSON.stringify(items.map(inputRow));
  // Keys are taken in one order everywhere: two nodes that write the same keys wait for each other, never in a circle.
  const { rows } = await sql<{ request_id: string }>`
    with input as materialized (
      select * from jsonb_to_recordset(${input}::jsonb) as t(
        request_id text, organization_id text, kind text, credential text, message text,
        key text, fingerprint text, answer text, "row" jsonb)
    ), claimed as (
      insert into idempotency_keys as known (credential, key, fingerprint, organization_id, status, answer, created_at)
      select credential, key, decode(fingerprint, 'hex'), organization_id, 200, convert_to(answer, 'UTF8'), ${clock.sql}
      from input where key is not null order by credential, key
      on conflict (credential, key) do update
        set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
        where known.created_at < excluded.created_at - interval '24 hours'
      returning credential, key
    ), winners as materialized (
      select * from input
      where key is null or exists (select from claimed c where c.credential = input.credential and c.key = input.key)
    ), new_requests as (
      insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at)
      select request_id, organization_id, kind, 'queued', message, credential, ${clock.sql}, ${clock.sql} from winners
    ), ${tail}
    select request_id from winners`.execute(db);
  return new Set(rows.map((row) => row.request_id));
}

function inputRow(item: Acceptance): Record<string, unknown> {
  return {
    request_id: item.requestId,
    organization_id: item.organizationId,
    kind: item.kind,
    credential: item.credential,
    message: item.envelope.response.message,
    key: item.idempotency?.key,
    fingerprint: item.idempotency?.fingerprint.toString('hex'),
    answer: item.idempotency && JSON.stringify(item.envelope),
    row: item.row,
  };
}

/** Which of these requests are there. */
export async function findKnown(db: Handle, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from requests where id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function findAnswer(
  db: Handle,
  credential: string,
  key: string,
): Promise<{ fingerprint: Buffer; status: number; answer: Buffer } | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer'])
    .where('credential', '=', credential)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.answer && row.status !== null
    ? { fingerprint: row.fingerprint, status: row.status, answer: row.answer }
    : null;
}

/** Statuses that end a request; no transition leads out of them. */
const OPEN = ['queued', 'processing', 'retrying'] as const;

/** Marks work on requests as begun; counts the attempt. */
export async function requestsProcessing(
  db: Handle,
  ids: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('requests')
    .set((eb) => ({
      status: 'processing',
      attempts: eb('attempts', '+', 1),
      next_attempt_at: null,
      updated_at: at,
    }))
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .where('status', 'in', OPEN)
    .execute();
}

/** An attempt failed and another will follow. */
export async function requestRetrying(
  db: Handle,
  id: string,
  at: Temporal.Instant,
  error: string,
  nextAt: Temporal.Instant,
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ status: 'retrying', next_attempt_at: nextAt, updated_at: at, errors: errorsWith(error, at) })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .execute();
}

/** Keeps an error without changing the status: some other way still goes on. */
export async function requestError(
  db: Handle,
  id: string,
  at: Temporal.Instant,
  error: string,
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ updated_at: at, errors: errorsWith(error, at) })
    .where('id', '=', id)
    .execute();
}

/** Finishes a request once; later calls change nothing. */
export async function requestFinished(
  db: Handle,
  id: string,
  at: Temporal.Instant,
  status: 'succeeded' | 'failed',
  message: string,
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ status, message, finished_at: at, next_attempt_at: null, updated_at: at })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .execute();
}

const MOST_ERRORS = 100;

/**
 * The errors of a request with one more. A page that retries for hours must not grow without end: of more than a
 * hundred the first, which tells how it began, and the newest are kept.
 */
export function errorsWith(message: string, at: Temporal.Instant): RawBuilder<string> {
  return errorsAnd(sql`${JSON.stringify([{ at: instantText(at), message }])}::jsonb`);
}

/** The same for a JSON array of one error that the statement itself makes. */
export function errorsAnd(entry: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when jsonb_array_length(errors) < ${sql.lit(MOST_ERRORS)} then errors else errors - 1 end || ${entry}`;
}

export type RequestRow = {
  id: string;
  kind: RequestKind;
  status: RequestStatus;
  message: string;
  attempts: number;
  errors: { at: string; message: string }[];
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  finishedAt: Temporal.Instant | null;
  nextAttemptAt: Temporal.Instant | null;
};

export async function findRequest(
  db: Handle,
  organizationId: string,
  id: string,
): Promise<RequestRow | null> {
  const row = await db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    message: row.message,
    attempts: row.attempts,
    errors: row.errors as { at: string; message: string }[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
    nextAttemptAt: row.next_attempt_at,
  };
}

export async function findFinished(db: Handle, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('requests')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .where('finished_at', 'is not', null)
    .execute();
  return rows.map((row) => row.id);
}

/** Forgets answers that nobody may ask for again. */
export async function forgetOldAnswers(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    delete from idempotency_keys where (credential, key) in (
      select credential, key from idempotency_keys where created_at < ${clock.sql} - interval '24 hours'
      limit ${limit} for update skip locked)
    returning key`.execute(db);
  return rows.length;
}
