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
/** Shorter for keys whose call may not be stored in the end, because their sender tries again, and for keys without a page. */
const REMEMBER_BRIEFLY_MS = 1_000;

export type FirstEvents = {
  /**
   * Accepts a call beyond the rate limit if it triggers a dedup key without an open or waiting page, or resolves one with such
   * a page, because a storm must lose neither. Such calls have a separate budget. `body`: as stored. @throws Fault `refusal`
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
  /** Until when the calls that do this to a key are refused without a look-up. */
  const known = new Map<string, number>();

  const name = (sourceId: string, { action, key }: KeyedChange) => `${sourceId} ${action} ${key}`;
  function remember(sourceId: string, changes: Iterable<KeyedChange>, ms: number): void {
    const until = now() + ms;
    for (const change of changes) {
      known.delete(name(sourceId, change));
      known.set(name(sourceId, change), until);
    }
    for (const oldest of known.keys()) {
      if (known.size <= MOST_REMEMBERED) break;
      known.delete(oldest);
    }
  }

  return {
    async admit(call, body, refusal) {
      const { id, organizationId } = call.webhook;
      const changes = changesIn(call, body).filter((change) => (known.get(name(id, change)) ?? 0) <= now());
      // Bounds the look-ups as well.
      if (changes.length === 0 || budgets.refusal(id, 'pages')) throw refusal;
      // Before the look-up, so that only one of many simultaneous calls is accepted.
      remember(id, changes, REMEMBER_BRIEFLY_MS);
      const keys = [...new Set(changes.map(({ key }) => key))];
      const open = await keysWithPages(db, { organizationId, sourceId: id }, keys);
      const isWanted = ({ action, key }: KeyedChange) => open.has(key) === (action === 'resolve');
      const repeated = changes.filter((change) => change.action === 'open' && !isWanted(change));
      remember(id, repeated, REMEMBER_MS);
      if (!changes.some(isWanted)) throw refusal;
      // Their pages end, so the next trigger is a first one again.
      for (const { action, key } of changes)
        if (action === 'resolve') known.delete(name(id, { action: 'open', key: open.get(key) ?? key }));
    },
  };
}

/** What a call does to the page of a key, as far as it may be accepted beyond the rate limit. */
type KeyedChange = { action: 'open' | 'resolve'; key: string };

function changesIn(call: Call, body: Buffer): KeyedChange[] {
  const result = read(call, body);
  if (!result || !('events' in result)) return [];
  const changes = result.events.flatMap(({ action, dedupKey: key }): [string, KeyedChange][] =>
    (action === 'open' || action === 'resolve') && key !== null
      ? [[`${action} ${key}`, { action, key }]]
      : [],
  );
  return [...new Map(changes).values()];
}

function read({ integration, headers, now: receivedAt }: Call, body: Buffer): AdapterResult | null {
  const adapter = sourceAdapter(integration);
  const unpacked = adapter && unpackedBody(headers, body, LARGEST_FIRST_CALL);
  if (!unpacked || 'problem' in unpacked) return null;
  return adapter.read({ headers, body: unpacked.body, settings: {}, receivedAt });
}
