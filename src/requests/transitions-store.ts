import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { RequestStatus } from './contract.ts';

/**
 * The statuses of a request and where each of them leads (docs/states.md draws them). Everything that changes the status
 * of a request is in this file, apart from the statement that accepts it.
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
  if (ids.length === 0) return;
  await sql`
    update requests set status = 'processing', attempts = attempts + 1, next_attempt_at = null, updated_at = ${at}
    where id = any(${ids}::text[]) and status in (${before('processing')})`.execute(db);
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
