import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { stored, t } from '../language/contract.ts';
import type { RequestStatus, StatusEnvelope } from './contract.ts';
import { findRequest, type RequestRow } from './store.ts';

/** The outcome of a request by its kind: `{page}`, `{moments}` or both `{pages}` and `{moments}`. Supplied by the composition root. */
export type Describe = (
  organizationId: string,
  request: RequestRow,
) => Promise<Pick<StatusEnvelope['response'], 'page' | 'pages' | 'moments'>>;

/** The status of a request of this organization, as the API returns it. Throws `not_found` for an unknown id. */
export async function statusOf(
  { db, describe }: { db: Database; describe: Describe },
  organizationId: string,
  id: string,
): Promise<StatusEnvelope> {
  const row = await findRequest(db, organizationId, id);
  if (!row)
    throw new Fault('not_found', [
      { field: 'id', message: t('is not the id of a request of your organization') },
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

type Progress = { status: RequestStatus; message: string; nextAttemptAt: Temporal.Instant | null };

/**
 * The message of a request. The stored message describes its acceptance or, once finished, its outcome; in between, the
 * status determines the message.
 */
export function messageOf({ status, message, nextAttemptAt }: Progress): string {
  if (status === 'processing') return stored('The request is being processed; its outcome is not known yet.');
  if (status !== 'retrying') return message;
  return nextAttemptAt
    ? stored('The latest attempt failed, and the next one is due at {time}; see errors for the reason.', {
        time: instantText(nextAttemptAt),
      })
    : stored('The latest attempt failed, and another one follows; see errors for the reason.');
}
