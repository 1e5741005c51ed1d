import { sql } from 'kysely';
import type { Handle } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { errorsAnd, errorsWith } from './store.ts';

/** Marks work on many requests as begun; counts the attempts. Finished ones stay as they are. */
export async function requestsProcessing(
  db: Handle,
  ids: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update requests set status = 'processing', attempts = attempts + 1, next_attempt_at = null, updated_at = ${at}
    where id = any(${ids}) and status in ('queued', 'processing', 'retrying')`.execute(db);
}

/** An attempt at many requests failed for one reason; another will follow. */
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
    where id = any(${ids}) and status in ('queued', 'processing', 'retrying')`.execute(db);
}

export type RequestEnding = {
  id: string;
  status: 'succeeded' | 'failed';
  message: string;
  /** Kept among the errors of a request that failed. */
  error: string | null;
};

/** Finishes many requests, each once; those that were finished before stay as they are. */
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
    where requests.id = ending.id and requests.status in ('queued', 'processing', 'retrying')`.execute(db);
}
