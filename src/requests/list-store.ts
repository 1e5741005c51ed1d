import type { Handle } from '../db/database.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import type { RequestLine, RequestListQuery } from './api-contract.ts';
import { messageOf } from './message.ts';

/** Newest first. */
export async function listRequests(
  db: Handle,
  organizationId: string,
  { limit, before, status, kind }: RequestListQuery,
): Promise<RequestLine[]> {
  let query = db
    .selectFrom('requests')
    .select(['id', 'kind', 'status', 'message', 'attempts', 'created_at', 'finished_at', 'next_attempt_at'])
    .where('organization_id', '=', organizationId);
  if (before) query = query.where('id', '<', before);
  if (status) query = query.where('status', '=', status);
  if (kind) query = query.where('kind', '=', kind);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ created_at, finished_at, next_attempt_at, ...row }) => ({
    ...row,
    message: messageOf({ ...row, nextAttemptAt: next_attempt_at }),
    created_at: instantText(created_at),
    finished_at: instantTextOrNull(finished_at),
  }));
}
