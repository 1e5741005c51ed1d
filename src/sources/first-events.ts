import type { Database } from '../db/database.ts';
import { type Budgets, createBudgets, type Rate } from '../keys/budget.ts';
import type { Fault } from '../kit/fault.ts';
import type { AdapterResult } from '../moments/integrations/adapter.ts';
import type { Call } from '../webhooks/call.ts';
import { unpackedBody } from '../webhooks/packed-body.ts';
import { sourceAdapter } from './adapters.ts';
import { keysWithPages } from './store.ts';

/** Larger calls are refused before they are read, because reading them is the work that the rate limit prevents. */
export const LARGEST_FIRST_CALL = 256 * 1_024;
/** A burst of entirely new alerts, for example when a network is cut, is larger than one of repeats. */
const BURST_FACTOR = 10;
const MOST_REMEMBERED = 10_000;
/** How long a key is assumed to still have a page. */
const REMEMBER_MS = 10_000;
/** Shorter for keys whose call may not be stored in the end, because their sender tries again. */
const REMEMBER_ADMITTED_MS = 1_000;

export type FirstEvents = {
  /**
   * Accepts a call beyond the rate limit if it triggers a dedup key without an open or waiting page, because a storm of
   * other keys must not lose it. Such calls have a separate budget. `body`: as stored. @throws Fault `refusal`
   */
  admit(call: Call, body: Buffer, refusal: Fault): Promise<void>;
};

/** `rate`: the rate limit of sources. The budgets are those of this process. */
export function createFirstEvents(
  db: Database,
  rate: Rate,
  now: () => number = () => performance.now(),
): FirstEvents {
  const budgets: Budgets = createBudgets({ ...rate, burst: rate.burst * BURST_FACTOR }, now);
  const known = new Map<string, number>();

  const name = (sourceId: string, key: string) => `${sourceId} ${key}`;
  function remember(sourceId: string, keys: Iterable<string>, ms: number): void {
    const until = now() + ms;
    for (const key of keys) {
      known.delete(name(sourceId, key));
      known.set(name(sourceId, key), until);
    }
    for (const oldest of known.keys()) {
      if (known.size <= MOST_REMEMBERED) break;
      known.delete(oldest);
    }
  }

  return {
    async admit(call, body, refusal) {
      const { id, organizationId } = call.webhook;
      const keys = triggeredKeys(call, body).filter((key) => (known.get(name(id, key)) ?? 0) <= now());
      // Bounds the look-ups as well.
      if (keys.length === 0 || budgets.refusal(id, 'pages')) throw refusal;
      // Before the look-up, so that only one of many simultaneous calls is accepted.
      remember(id, keys, REMEMBER_ADMITTED_MS);
      const open = await keysWithPages(db, { organizationId, sourceId: id }, keys);
      remember(id, open, REMEMBER_MS);
      if (keys.every((key) => open.has(key))) throw refusal;
    },
  };
}

function triggeredKeys(call: Call, body: Buffer): string[] {
  const result = read(call, body);
  if (!result || !('events' in result)) return [];
  const keys = result.events.flatMap(({ action, dedupKey }) =>
    action === 'open' && dedupKey !== null ? [dedupKey] : [],
  );
  return [...new Set(keys)];
}

function read({ integration, headers, now: receivedAt }: Call, body: Buffer): AdapterResult | null {
  const adapter = sourceAdapter(integration);
  const unpacked = adapter && unpackedBody(headers, body, LARGEST_FIRST_CALL);
  if (!unpacked || 'problem' in unpacked) return null;
  return adapter.read({ headers, body: unpacked.body, settings: {}, receivedAt });
}
