import type { RawBuilder } from 'kysely';
import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createGroupCommit, type GroupCommit } from '../db/group-commit.ts';
import type { Acceptance, Accepted } from './acceptance.ts';
import type { QueuedEnvelope } from './contract.ts';
import { idempotencyConflict } from './idempotency.ts';
import { acceptAll, findAnswer } from './store.ts';

const MAX_ITEMS = 500;
const MAX_BYTES = 16 * 1_024 * 1_024;

/**
 * Writes requests durably, many at a time. `tail` is the part of the statement that writes what the requests are
 * about: `with` clauses that read the common table `winners` (columns `request_id`, `organization_id`, `row`).
 */
export function createAcceptor(
  db: Database,
  clock: Clock,
  tail: () => RawBuilder<unknown>,
): GroupCommit<Acceptance, Accepted> {
  return createGroupCommit<Acceptance, Accepted>({
    maxItems: MAX_ITEMS,
    weight: (item) => item.bytes ?? 0,
    maxWeight: MAX_BYTES,
    concurrency: 2,
    exclusive: (item) => (item.idempotency ? `${item.credential} ${item.idempotency.key}` : null),
    isItemsFault: (error) => !isDatabaseAway(error),
    async flush(items) {
      const written = await acceptAll(db, clock, items, tail());
      return Promise.all(
        items.map(async (item) => {
          if (written.has(item.requestId)) return { envelope: item.envelope, replayed: false };
          return replay(db, item).catch((error: Error) => error);
        }),
      );
    },
  });
}

async function replay(db: Database, item: Acceptance): Promise<Accepted> {
  const known = item.idempotency && (await findAnswer(db, item.credential, item.idempotency.key));
  if (!known) throw new Error('a request was neither written nor known');
  if (!item.idempotency || !known.fingerprint.equals(item.idempotency.fingerprint))
    throw idempotencyConflict();
  return { envelope: JSON.parse(known.answer.toString('utf8')) as QueuedEnvelope, replayed: true };
}

export function queuedEnvelope(requestId: string, message: string, warnings: string[]): QueuedEnvelope {
  const envelope: QueuedEnvelope = { service_request_id: requestId, response: { success: true, message } };
  return warnings.length > 0 ? { ...envelope, warnings } : envelope;
}
