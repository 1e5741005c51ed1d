import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { Acceptance } from './acceptance.ts';
import type { RequestListQuery } from './api-contract.ts';
import type { RequestKind, RequestStatus } from './contract.ts';
import { type Idempotency, idempotencyConflict } from './idempotency.ts';

/**
 * Writes requests and, through `tail` if it is given, what they are about, in one statement. Returns the ids of those written; the others
 * had an idempotency key that was already known.
 */
export async function acceptAll(
  db: Handle,
  clock: Clock,
  items: readonly Acceptance[],
  tail: RawBuilder<unknown> | null,
): Promise<Set<string>> {
  const read = sql<{ request_id: string }>`select request_id from winners`;
  const { rows } = await accepting(clock, items, { tail, read, status: 'queued' }).execute(db);
  return new Set(rows.map((row) => row.request_id));
}

/** The parts of a statement that writes requests. Those that are `processing` are being attempted in its transaction. */
type Accepting<Row> = {
  tail: RawBuilder<unknown> | null;
  /** The query at the end of the statement. */
  read: RawBuilder<Row>;
  status: 'queued' | 'processing';
};

/** The statement that writes requests and what they are about. */
export function accepting<Row>(
  clock: Clock,
  items: readonly Acceptance[],
  { tail, read, status }: Accepting<Row>,
): RawBuilder<Row> {
  const input = JSON.stringify(items.map(inputRow));
  // Keys are always inserted in the same order, so that two nodes writing the same keys cannot deadlock.
  return sql<Row>`
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
      insert into requests (id, organization_id, kind, status, attempts, message, credential, created_at, updated_at)
      select request_id, organization_id, kind, ${sql.lit(status)}, ${sql.lit(status === 'queued' ? 0 : 1)}, message, credential,
        ${clock.sql}, ${clock.sql}
      from winners
    )${tail ? sql`, ${tail}` : sql``}
    ${read}`;
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

/**
 * The ids of those requests that need not be written again: they are stored, or another request has the answer of their
 * idempotency key, which a sender got instead, however long ago. A key that was 24 hours old when a request was accepted
 * has the answer of an earlier one.
 */
export async function findKnown(db: Handle, items: readonly Acceptance[]): Promise<Set<string>> {
  const ids = items.map(({ requestId }) => requestId);
  const credentials = items.map(({ credential }) => credential);
  const keys = items.map(({ idempotency }) => idempotency?.key ?? null);
  const accepted = items.map(({ row }) => row.accepted_ms ?? null);
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${ids}::text[], ${credentials}::text[], ${keys}::text[], ${accepted}::double precision[])
      as t (id, credential, key, accepted_ms)
    where exists (select from requests r where r.id = t.id)
      or exists (select from idempotency_keys k where k.credential = t.credential and k.key = t.key
        and k.created_at >= coalesce(to_timestamp(t.accepted_ms / 1000), now()) - interval '24 hours')`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
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

/** A request of the organization; null if there is none. */
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

/** The ids among these whose request has finished. */
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

/** Requests that one answer looks through for a status or kind, because an index on them would slow every request down. */
export const MOST_READ = 2_000;

/** The requests of an organization, newest first. Those of a status or kind are looked for among the newest `MOST_READ`. */
export async function listRequests(
  db: Handle,
  organizationId: string,
  { limit, before, status, kind }: RequestListQuery,
): Promise<Omit<RequestRow, 'errors' | 'updatedAt'>[]> {
  let newest = db.selectFrom('requests').selectAll().where('organization_id', '=', organizationId);
  if (before) newest = newest.where('id', '<', before);
  let query = db
    .selectFrom(
      newest
        .orderBy('id', 'desc')
        .limit(status || kind ? MOST_READ : limit)
        .as('newest'),
    )
    .select(['id', 'kind', 'status', 'message', 'attempts'])
    .select(['created_at as createdAt', 'finished_at as finishedAt', 'next_attempt_at as nextAttemptAt']);
  if (status) query = query.where('status', '=', status);
  if (kind) query = query.where('kind', '=', kind);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** The last of the newest `MOST_READ` requests before `before`; null if there are fewer. */
export async function lastRead(
  db: Handle,
  organizationId: string,
  before: string | undefined,
): Promise<string | null> {
  let query = db.selectFrom('requests').select('id').where('organization_id', '=', organizationId);
  if (before) query = query.where('id', '<', before);
  const last = await query
    .orderBy('id', 'desc')
    .offset(MOST_READ - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.id ?? null;
}

/**
 * The statuses of a request and their transitions (docs/states.md draws them). Everything that changes the status of a
 * request is in this file, except the statement that accepts it.
 */
export const REQUEST_TRANSITIONS = {
  queued: ['processing', 'retrying', 'succeeded', 'failed'],
  processing: ['processing', 'retrying', 'succeeded', 'failed'],
  retrying: ['processing', 'retrying', 'succeeded', 'failed'],
  succeeded: [],
  failed: [],
} as const satisfies Record<RequestStatus, readonly RequestStatus[]>;

/** The statuses that lead to `status`, as an SQL list. */
function before(status: RequestStatus): RawBuilder<unknown> {
  const from = Object.entries(REQUEST_TRANSITIONS).filter(([, next]) => next.some((one) => one === status));
  return sql.join(from.map(([name]) => sql.lit(name)));
}

/** Marks requests as being processed, and counts the attempt. Finished requests do not change. */
export async function requestsProcessing(
  db: Handle,
  ids: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  for (const statement of processingRequests(ids, at)) await statement.execute(db);
}

/** The same as a statement; none for no requests. */
export function processingRequests(ids: readonly string[], at: Temporal.Instant): RawBuilder<unknown>[] {
  if (ids.length === 0) return [];
  return [
    sql`
      update requests set status = 'processing', attempts = attempts + 1, next_attempt_at = null, updated_at = ${at}
      where id = any(${ids}::text[]) and status in (${before('processing')})`,
  ];
}

/** Marks requests as being processed again, and counts the attempt, if their latest attempt had failed. */
export async function retriesProcessing(
  db: Handle,
  ids: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update requests set status = 'processing', attempts = attempts + 1, next_attempt_at = null, updated_at = ${at}
    where id = any(${ids}::text[]) and status = 'retrying'`.execute(db);
}

/** Records that an attempt at these requests failed and when the next one is due. */
export async function requestsRetrying(
  db: Handle,
  ids: readonly string[],
  at: Temporal.Instant,
  error: string,
  nextAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update requests set status = 'retrying', next_attempt_at = ${nextAt}, updated_at = ${at},
      errors = ${errorsWith(error, at)}
    where id = any(${ids}::text[]) and status in (${before('retrying')})`.execute(db);
}

export type RequestEnding = {
  id: string;
  status: 'succeeded' | 'failed';
  message: string;
  /** Added to the errors of a request that failed; null for none. */
  error: string | null;
};

/** Finishes requests. Those that have finished before do not change. */
export async function requestsFinished(
  db: Handle,
  at: Temporal.Instant,
  endings: readonly RequestEnding[],
): Promise<void> {
  const entry = sql`jsonb_build_array(jsonb_build_object('at', ${instantText(at)}::text, 'message', ending.error))`;
  await sql`
    update requests set status = ending.status, message = ending.message, finished_at = ${at}, updated_at = ${at},
      next_attempt_at = null,
      errors = case when ending.error is null then errors else ${errorsAnd(entry)} end
    from jsonb_to_recordset(${JSON.stringify(endings)}::jsonb)
      as ending(id text, status text, message text, error text)
    where requests.id = ending.id and (
      ending.status = 'succeeded' and requests.status in (${before('succeeded')})
      or ending.status = 'failed' and requests.status in (${before('failed')}))`.execute(db);
}

/**
 * The statement that finishes the requests of pages when a provider accepts a notification, as a part of the statement
 * that records the acceptance.
 *
 * @param ids an SQL expression for an array of request ids
 */
export function requestsSucceeded(at: RawBuilder<unknown>, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update requests set status = 'succeeded', message = 'The page was handed to a provider.', finished_at = ${at},
      next_attempt_at = null, updated_at = ${at}
    where status in (${before('succeeded')}) and id = any(${ids})`;
}

/** Records an error without changing the status, because another notification may still succeed. */
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

const MOST_ERRORS = 100;

/** The errors of a request with one more. Of more than a hundred, the first and the newest are kept. */
function errorsWith(message: string, at: Temporal.Instant): RawBuilder<string> {
  return errorsAnd(sql`${JSON.stringify([{ at: instantText(at), message }])}::jsonb`);
}

/** The same for an SQL expression that is a JSON array with one error. */
function errorsAnd(entry: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when jsonb_array_length(errors) < ${sql.lit(MOST_ERRORS)} then errors else errors - 1 end || ${entry}`;
}

/** The answer to the first request with a key. */
export type FirstAnswer = { status: number; answer: Buffer };

/** Whose idempotency key it is: the API key of the request, and its organization. */
export type KeyOwner = { credential: string; organizationId: string };

/**
 * Claims an idempotency key for a request that is answered when it has finished. Returns null for a new key: the
 * transaction now holds it, and stores its answer with `keepAnswer`. Returns the first answer for a known key; throws a 409
 * fault if the body differs. Waits for another transaction that holds the key.
 */
export async function claimKey(
  tx: Tx,
  at: Temporal.Instant,
  owner: KeyOwner,
  { key, fingerprint }: Idempotency,
): Promise<FirstAnswer | null> {
  const { rows } = await sql`
    insert into idempotency_keys as known (credential, key, fingerprint, organization_id, created_at)
    values (${owner.credential}, ${key}, ${fingerprint}, ${owner.organizationId}, ${at})
    on conflict (credential, key) do update
      set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = excluded.created_at
      where known.created_at < excluded.created_at - interval '24 hours'
    returning key`.execute(tx);
  if (rows.length > 0) return null;
  const known = await findAnswer(tx, owner.credential, key);
  if (!known) throw new Error('an idempotency key is neither free nor known');
  if (!known.fingerprint.equals(fingerprint)) throw idempotencyConflict();
  return { status: known.status, answer: known.answer };
}

/** Stores the answer under the key that `claimKey` claimed in this transaction. */
export async function keepAnswer(
  tx: Tx,
  owner: KeyOwner,
  { key }: Idempotency,
  { status, answer }: FirstAnswer,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, answer })
    .where('credential', '=', owner.credential)
    .where('key', '=', key)
    .execute();
}

/** The answer that was stored under a key; null when there is none. */
export async function findAnswer(
  db: Handle,
  credential: string,
  key: string,
): Promise<(FirstAnswer & { fingerprint: Buffer; createdAt: Temporal.Instant }) | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer', 'created_at as createdAt'])
    .where('credential', '=', credential)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.answer && row.status !== null ? { ...row, status: row.status, answer: row.answer } : null;
}

/** Deletes keys that are older than 24 hours, at most `limit`. Returns their number. */
export async function forgetOldAnswers(db: Handle, clock: Clock, limit: number): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    delete from idempotency_keys where (credential, key) in (
      select credential, key from idempotency_keys where created_at < ${clock.sql} - interval '24 hours'
      limit ${limit} for update skip locked)
    returning key`.execute(db);
  return rows.length;
}
