import type { RawBuilder } from 'kysely';
import { isDatabaseAway, isOutcomeUnknown } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { createGroupCommit, type GroupCommit } from '../db/group-commit.ts';
import type { Writes } from '../db/writes.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Acceptance, Accepted } from './acceptance.ts';
import type { QueuedEnvelope } from './contract.ts';
import { type Idempotency, idempotencyConflict } from './idempotency.ts';
import { createPace, type Late } from './pace.ts';
import type { Recovery, WriteAgain } from './recovery.ts';
import { acceptAll, findAnswer, findKnown } from './store.ts';

const MAX_ITEMS = 500;
const MAX_BYTES = 16 * 1_024 * 1_024;
/** A sender that is refused tries again. A page that waited in memory for seconds would only be late. */
const MOST_WAITING = {
  all: 4_000,
  ofOne: 2_000,
  weight: 4 * MAX_BYTES,
  refusal: () =>
    new Fault(
      'too_many_requests',
      [
        {
          field: 'queue',
          message: t('is full: requests arrive faster than they can be processed; try again in 1 s'),
        },
      ],
      { 'retry-after': '1' },
    ),
};

/** Protects accepted requests against a failover of the database, and against a flood. Tests leave it out. */
export type Safety = {
  /** Null if the database has no other server to fail over to. */
  recovery?: Recovery | null;
  writes?: Writes;
  /** False: requests are accepted however many wait to be worked on. For tests in which no worker runs by itself. */
  isPaced?: boolean;
};

/**
 * Writes requests and their subjects in one transaction, which may be the caller's. Returns the ids of the new ones;
 * the others repeat known idempotency keys. `again` is true for requests that were accepted before and lost in a
 * failover of the database.
 */
export type WriteRequests = (
  handle: Handle,
  items: readonly Acceptance[],
  again: boolean,
) => Promise<Set<string>>;

/**
 * Writes with a single statement. `tail` returns the `with` clauses that write what the requests are about; they read the
 * common table `winners` (columns `request_id`, `organization_id`, `row`).
 */
export function inOneStatement(clock: Clock, tail: (again: boolean) => RawBuilder<unknown>): WriteRequests {
  return (handle, items, again) => acceptAll(handle, clock, items, tail(again));
}

/** Writes requests durably, many in one commit, and no faster than the rows that `late` reads are worked on. */
export function createAcceptor(
  db: Database,
  write: WriteRequests,
  { recovery, writes, isPaced = true }: Safety = {},
  late: (db: Database) => Promise<readonly Late[]> = async () => [],
): GroupCommit<Acceptance, Accepted> {
  const pace = createPace(() => late(db), MOST_WAITING);
  const writeAgain: WriteAgain = (handle, items) =>
    handle.transaction().execute(async (tx) => {
      const known = await findKnown(tx, items);
      const lost = items.filter(({ requestId }) => !known.has(requestId));
      return lost.length > 0 ? (await write(tx, lost, true)).size : 0;
    });

  /** Remembers requests in case a failover loses them, and writes them again if one has just happened. */
  async function accept(items: readonly Acceptance[]): Promise<Set<string>> {
    const remember = (some: readonly Acceptance[]) => recovery?.remember(some, writeAgain);
    const { written, promotions } = await db.connection().execute(async (lent) => {
      const before = recovery?.promotions;
      try {
        return { written: await write(lent, items, false), promotions: before };
      } catch (error) {
        // It may have been committed. If it was lost, a client that repeats it with the same key gets the same page.
        if (isOutcomeUnknown(error)) remember(items.filter(({ idempotency }) => idempotency !== null));
        throw error;
      }
    });
    const mine = items.filter(({ requestId }) => written.has(requestId));
    // The database failed over before the commit was confirmed.
    if (recovery?.promotions !== promotions) await writeAgain(db, mine);
    remember(mine);
    return written;
  }

  const commit = createGroupCommit<Acceptance, Accepted>({
    maxItems: MAX_ITEMS,
    weight: (item) => item.bytes ?? 0,
    maxWeight: MAX_BYTES,
    concurrency: 2,
    aloneForMs: 50,
    turnOf,
    mostWaiting: MOST_WAITING,
    exclusive: (item) => (item.idempotency ? `${item.credential} ${item.idempotency.key}` : null),
    isItemsFault: (error) => !isDatabaseAway(error),
    async flush(items) {
      const written = await (writes ? writes.follow(() => accept(items)) : accept(items));
      return Promise.all(
        items.map(async (item) => {
          if (written.has(item.requestId)) return { envelope: item.envelope, replayed: false };
          return replay(db, item).catch((error: Error) => error);
        }),
      );
    },
  });
  return {
    get waiting() {
      return commit.waiting;
    },
    async write(item) {
      const { rank, bytes = 0 } = item;
      if (isPaced && rank !== undefined) await pace.admit({ ...turnOf(item), rank }, bytes);
      return commit.write(item);
    },
  };
}

/** The team, person or webhook of a request. */
function turnOf({ organizationId, row }: Acceptance): { organizationId: string; turnOf: string } {
  return { organizationId, turnOf: String(row.team_id ?? row.user_id ?? row.webhook_id ?? '') };
}

async function replay(db: Database, { credential, idempotency }: Acceptance): Promise<Accepted> {
  const known = idempotency && (await findAnswer(db, credential, idempotency.key));
  if (!known) throw new Error('A request was neither written nor a known repeat.');
  return { envelope: envelopeOf(known, idempotency), replayed: true };
}

/**
 * The first answer of the last 24 hours to a request of this credential that is repeated with its idempotency key; null
 * if it is not a repeat. @throws Fault 409 if the body differs
 */
export async function findRepeated(
  db: Database,
  clock: Clock,
  credential: string,
  idempotency: Idempotency,
): Promise<QueuedEnvelope | null> {
  const known = await findAnswer(db, credential, idempotency.key);
  if (!known) return null;
  const oldest = (await clock.now(db)).subtract({ hours: 24 });
  return Temporal.Instant.compare(known.createdAt, oldest) < 0 ? null : envelopeOf(known, idempotency);
}

function envelopeOf(known: { fingerprint: Buffer; answer: Buffer }, repeat: Idempotency): QueuedEnvelope {
  if (!known.fingerprint.equals(repeat.fingerprint)) throw idempotencyConflict();
  return JSON.parse(known.answer.toString('utf8')) as QueuedEnvelope;
}

export function queuedEnvelope(requestId: string, message: string, warnings: string[]): QueuedEnvelope {
  const envelope: QueuedEnvelope = { service_request_id: requestId, response: { success: true, message } };
  return warnings.length > 0 ? { ...envelope, warnings } : envelope;
}
