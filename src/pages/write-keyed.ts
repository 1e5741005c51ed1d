import type { Handle, Tx } from '../db/database.ts';
import type { WriteRequests } from '../requests/accept.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import { acceptAll, type RequestEnding, requestsFinished } from '../requests/store.ts';
import type { Urgency } from './contract.ts';
import { applySignals, type KeyedServices, type PageSignal, type SignalOutcome } from './keyed.ts';
import { recordOutcomes } from './keyed-store.ts';

/** The row of a request about the page of a dedup key. For a trigger, it contains a whole page. */
type KeyedRow = {
  dedup_key: string;
  team_id?: string;
  user_id?: string;
  raised_by: string;
  /** When it was accepted, in milliseconds since the epoch; only for requests that are written again. */
  accepted_ms?: number;
} & (
  | { action: 'acknowledge' | 'resolve' }
  | { action: 'trigger'; title: string; text: string; source_url?: string; urgency: Urgency }
);

export type KeyedWriting = KeyedServices & {
  /** There are steps to run. */
  wake(): void;
};

/**
 * Writes requests about pages with a dedup key, and applies them in the same transaction: the open page of the key is
 * updated, acknowledged or resolved, or a new one is raised.
 */
export function writeKeyed(services: KeyedWriting): WriteRequests {
  const { clock, wake } = services;

  async function write(tx: Tx, items: readonly Acceptance[], again: boolean) {
    const written = await acceptAll(tx, clock, items, null);
    const mine = items.filter(({ requestId }) => written.has(requestId));
    const at = await clock.now(tx);
    const { outcomes, leavesSteps, afterCommit } = await applySignals(
      tx,
      services,
      at,
      mine.map((item) => signalOf(item, at, again)),
    );
    const done = mine.flatMap(({ requestId, organizationId }, index) => {
      const outcome = outcomes[index];
      return outcome ? [{ requestId, organizationId, position: 0, ...outcome }] : [];
    });
    await recordOutcomes(tx, done);
    // A request that raised a page ends when a provider accepts a notification of it.
    await requestsFinished(tx, at, done.filter(({ action }) => action !== 'raised').map(endingOf));
    return { written, leavesSteps, afterCommit };
  }

  return async (handle: Handle, items, again) => {
    // Requests that a failover lost are written in the caller's transaction. Deliveries that are leased in it are
    // released soon, because this node does not know of them.
    if (again && handle.isTransaction) return (await write(handle as Tx, items, again)).written;
    const done = await handle.transaction().execute((tx) => write(tx, items, again));
    done.afterCommit();
    if (done.leavesSteps) wake();
    return done.written;
  };
}

const MOST_LATE_MS = 120_000;

function signalOf(
  { requestId, organizationId, credential, row }: Acceptance,
  at: Temporal.Instant,
  again: boolean,
): PageSignal {
  const read = row as KeyedRow;
  const now = at.epochMilliseconds;
  const { accepted_ms: acceptedMs = now } = read;
  // The clock of the machine that accepted it may be wrong. Requests are written again within two minutes.
  const receivedAt =
    acceptedMs < now ? Temporal.Instant.fromEpochMilliseconds(Math.max(acceptedMs, now - MOST_LATE_MS)) : at;
  const { team_id: teamId, user_id: userId, dedup_key: dedupKey, raised_by } = read;
  const recipient = teamId === undefined ? { userId: userId ?? '' } : { teamId };
  const scope = teamId ?? userId ?? '';
  const same = { organizationId, scope, dedupKey, receivedAt, source: null, userId: raised_by };
  if (read.action !== 'trigger') return { ...same, action: read.action, lineOnly: false };
  const { title, text, source_url: sourceUrl = null, urgency } = read;
  const page = {
    requestId,
    credential,
    recipient,
    stage: null,
    mayRepeat: again,
    title,
    text,
    sourceUrl,
    urgency,
    facts: null,
  };
  return { ...same, action: 'trigger', reasons: [], page };
}

const DONE = {
  updated: 'A page with this dedup key was open, and was updated.',
  acknowledged: 'The open page with this dedup key was acknowledged.',
  resolved: 'The open page with this dedup key was resolved.',
} as const;

function endingOf({ requestId, action, reason }: SignalOutcome & { requestId: string }): RequestEnding {
  const message = action === 'raised' || action === 'ignored' ? (reason ?? '') : DONE[action];
  return { id: requestId, status: 'succeeded', message, error: null };
}
