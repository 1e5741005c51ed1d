import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import type { StatusEnvelope } from './contract.ts';
import { messageOf } from './message.ts';
import { findRequest, type RequestRow } from './store.ts';

/** What came of a request, by its kind: `{page}` or `{moments}`. The composition root asks the room that knows. */
export type Describe = (
  organizationId: string,
  request: RequestRow,
) => Promise<Pick<StatusEnvelope['response'], 'page' | 'moments'>>;

/** The status of a request of this organization, as it goes out. A fault when there is no such request. */
export async function statusOf(
  { db, describe }: { db: Database; describe: Describe },
  organizationId: string,
  id: string,
): Promise<StatusEnvelope> {
  const row = await findRequest(db, organizationId, id);
  if (!row)
    throw new Fault('not_found', [
      { field: 'id', message: 'is not the id of a request of your organization' },
    ]);
  return {
    service_request_id: row.id,
    response: { ...presentRequest(row), ...(await describe(organizationId, row)) },
  };
}

function presentRequest(row: RequestRow) {
  return {
    status: row.status,
    success: row.finishedAt ? row.status === 'succeeded' : null,
    message: messageOf(row),
    kind: row.kind,
    attempts: row.attempts,
    created_at: instantText(row.createdAt),
    updated_at: instantText(row.updatedAt),
    finished_at: instantTextOrNull(row.finishedAt),
    next_attempt_at: instantTextOrNull(row.nextAttemptAt),
    errors: row.errors,
  };
}
