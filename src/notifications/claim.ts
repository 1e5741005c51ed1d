import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { retriesProcessing } from '../requests/store.ts';
import { heldUntil, UNLIMITED } from './limits.ts';
import { count } from './notifier.ts';
import {
  beginAttempts,
  bundleInto,
  cancelThese,
  type DeliveryClaim,
  type DueDelivery,
  findRecent,
  holdDeliveries,
  LEASE_MS,
  lockPeople,
  recentName,
  takeDueDeliveries,
  takeHeld,
} from './store.ts';

/**
 * Leases due deliveries to this node: those of later rules, retries, and those that a rate limit held back. Returns the ids
 * to send, and whether there may be more.
 */
export async function claimDeliveries(
  db: Database,
  clock: Clock,
  node: number,
  which: DeliveryClaim,
): Promise<{ ids: string[]; more: boolean }> {
  return db.transaction().execute(async (tx) => {
    const due = await takeDueDeliveries(tx, clock, node, which);
    if (due.length === 0) return { ids: [], more: false };
    const at = await clock.now(tx);
    await cancelThese(
      tx,
      due.filter((delivery) => !delivery.wanted).map(({ id }) => id),
      at,
    );
    const wanted = due.filter((delivery) => delivery.wanted);
    const ids = await withinLimits(tx, wanted, at);
    await beginAttempts(tx, ids, node, { at, until: at.add({ milliseconds: LEASE_MS }) });
    await retriesProcessing(
      tx,
      wanted.filter(({ id }) => ids.includes(id)).map(({ requestId }) => requestId),
      at,
    );
    return { ids, more: due.length === which.limit };
  });
}

/**
 * The deliveries that the rate limits allow now. Held deliveries of one person and channel are bundled into the first.
 * Open pages go before notices of expiry, in which nobody could acknowledge them.
 */
async function withinLimits(tx: Tx, due: readonly DueDelivery[], at: Temporal.Instant): Promise<string[]> {
  const limited = due.filter((delivery) => !UNLIMITED.includes(delivery.channel));
  if (limited.length === 0) return due.map(({ id }) => id);
  const userIds = [...new Set(limited.map((delivery) => delivery.userId))];
  await lockPeople(tx, userIds);
  // Nothing of these has reached their person yet.
  const undelivered = limited.filter(({ repeat }) => !repeat).map(({ id }) => id);
  const recent = await findRecent(tx, userIds, at, undelivered);
  const leaving: string[] = [];
  const carried = new Set<string>();
  const openFirst = due.toSorted((one, other) => Number(isExpiry(one)) - Number(isExpiry(other)));
  for (const delivery of openFirst) {
    if (carried.has(delivery.id)) continue;
    const until = heldUntil(delivery.channel, recent.get(recentName(delivery.userId, delivery.channel)));
    if (until !== null) {
      await holdDeliveries(tx, [delivery.id], until);
      continue;
    }
    count(recent, delivery.userId, delivery.channel, at);
    leaving.push(delivery.id);
    if (delivery.held) for (const id of await bundle(tx, delivery, leaving, at)) carried.add(id);
  }
  return leaving;
}

function isExpiry({ type }: DueDelivery): boolean {
  return type === 'page.expired';
}

async function bundle(
  tx: Tx,
  carrier: DueDelivery,
  leaving: readonly string[],
  at: Temporal.Instant,
): Promise<string[]> {
  const others = (await takeHeld(tx, carrier.userId, carrier.channel)).map(({ id }) => id);
  const bundled = others.filter((id) => id !== carrier.id && !leaving.includes(id));
  await bundleInto(tx, carrier.id, bundled, at);
  return bundled;
}
