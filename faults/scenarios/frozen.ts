import { setTimeout as delay } from 'node:timers/promises';
import type { Place, Server } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Longer than a lease: during the freeze, another node takes over its work. */
const FROZEN_SECONDS = 36;

/**
 * A process is frozen, as when its virtual machine is migrated, and continues as if no time had passed. Another node
 * has taken over its work, so its later writes must be refused.
 */
export const frozenWorker: Scenario = {
  name: 'frozen',
  promise:
    'SIGSTOP of a worker for longer than its leases, with calls under way, then SIGCONT: it changes nothing that others took over',
  async run({ place }) {
    const at = await place();
    const api = await at.start('api');
    const workers = [await at.start('worker'), await at.start('worker')];
    // Slow answers, so that the frozen worker has some requests in flight and others still to send.
    at.receiver.always({ status: 204, delayMs: 400 });
    const load = at.load({ targets: () => [api.url], perSecond: 20 });
    await delay(2_000);
    const frozen = await theBusiest(at, workers);
    frozen.child.kill('SIGSTOP');
    await delay(FROZEN_SECONDS * 1_000);
    const stoodBefore = at.receiver.received.length;
    frozen.child.kill('SIGCONT');
    await delay(3_000);
    const verdict = await at.settle(load, { repeats: 60 });
    // The other node may repeat once what was in flight; nothing may be sent a third time when the worker resumes.
    const attempts = Map.groupBy(at.receiver.received, ({ id }) => id);
    const thrice = [...attempts.values()].filter((all) => all.length > 2).length;
    if (thrice > 0) verdict.broken.push(`${thrice} notifications came three times`);
    if (at.receiver.received.length <= stoodBefore) verdict.broken.push('nothing went on after it woke');
    return { ...verdict, figures: { 'frozen for': `${FROZEN_SECONDS} s`, ...verdict.figures } };
  },
};

/** The worker with the most notifications in flight. */
export async function theBusiest(
  { cluster: { db } }: Place,
  workers: readonly Server[],
): Promise<Server['process']> {
  for (;;) {
    const row = await db
      .selectFrom('deliveries')
      .innerJoin('nodes', 'nodes.id', 'deliveries.lease_owner')
      .select((eb) => ['nodes.pid', eb.fn.countAll().as('held')])
      .groupBy('nodes.pid')
      .orderBy('held', 'desc')
      .executeTakeFirst();
    const busiest = workers.find(({ process }) => process.pid === row?.pid);
    if (busiest) return busiest.process;
    await delay(20);
  }
}
