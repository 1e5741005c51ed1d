import { followUpKey } from '../moments/recording.ts';
import type { FollowUpName } from '../moments/store.ts';
import { byReceipt } from './call-store.ts';
import type { ReadCall } from './record.ts';

/** The keys of a call, from its events and orders. Calls without a common key can be recorded in any order. */
export function keysOf({ call: { webhookId }, result }: ReadCall): FollowUpName[] {
  if (!('events' in result)) return [];
  const keys = [...result.events, ...(result.orders ?? [])].map(({ dedupKey }) => dedupKey);
  return [...new Set(keys)].flatMap((dedupKey) => (dedupKey === null ? [] : [{ webhookId, dedupKey }]));
}

export function hasKeys(one: ReadCall): boolean {
  return keysOf(one).length > 0;
}

/** Calls to record one after the other, and information about the other calls of their webhooks. */
export type OrderedCalls = {
  /** By time of receipt. */
  calls: ReadCall[];
  /** Ids of calls that another worker may have claimed. Those that it has recorded meanwhile are skipped. */
  taken: ReadonlySet<string>;
  /** Ids of earlier calls that have no key in common with any of these. */
  unrelated: readonly string[];
  /** Ids of calls after which a trigger of the same key follows among these. */
  followed: ReadonlySet<string>;
};

/**
 * The calls of a worker, with those `earlier` ones that have to be recorded before them: they were received before,
 * have a key in common and are not processed, because another worker has only claimed them. Their own predecessors are
 * included, too.
 */
export function inOrderOfReceipt(mine: readonly ReadCall[], earlier: readonly ReadCall[]): OrderedCalls {
  const own = new Set(mine.map(({ call }) => call.id));
  const [keys, triggered] = [new Set<string>(), new Set<string>()];
  const calls: ReadCall[] = [];
  const [taken, followed] = [new Set<string>(), new Set<string>()];
  const unrelated: string[] = [];
  // From the newest to the oldest, because a call only depends on calls that were received before it.
  for (const one of [...mine, ...earlier].sort((a, b) => byReceipt(b.call, a.call))) {
    const { id } = one.call;
    const its = keysOf(one).map(({ webhookId, dedupKey }) => followUpKey(webhookId, dedupKey));
    if (!own.has(id) && !its.some((key) => keys.has(key))) {
      unrelated.push(id);
      continue;
    }
    if (!own.has(id)) taken.add(id);
    if (its.some((key) => triggered.has(key))) followed.add(id);
    for (const key of its) keys.add(key);
    for (const key of triggeredKeys(one)) triggered.add(key);
    calls.push(one);
  }
  return { calls: calls.reverse(), taken, unrelated, followed };
}

function triggeredKeys({ call: { webhookId }, result }: ReadCall): string[] {
  if (!('events' in result)) return [];
  return result.events.flatMap(({ action, dedupKey }) =>
    action === 'open' && dedupKey !== null ? [followUpKey(webhookId, dedupKey)] : [],
  );
}
