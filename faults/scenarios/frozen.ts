import { setTimeout as delay } from 'node:timers/promises';
import type { Place, Server } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Longer than a lease: while it sleeps, another node takes over all that it held. */
const FROZEN_SECONDS = 36;

/**
 * A process that stands still, as a virtual machine that is moved, and wakes up with the belief that no time has
 * passed. What it held was taken over meanwhile: its word must count no more.
 */
export const frozenWorker: Scenario = {
  name: 'frozen',
  promise: 'a worker stands still (SIGSTOP) for longer than its leases, with work in its hands, and wakes up',
  async run({ place }) {
    const at = await place();
    const api = await at.start('api');
    const workers = [await at.start('worker'), await at.start('worker')];
    // Slow answers, so that whoever is stopped has calls under way and others before it.
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
    // What it had in its hands may be repeated by the other, once; when it wakes, nothing is sent a third time.
    const attempts = Map.groupBy(at.receiver.received, ({ id }) => id);
    const thrice = [...attempts.values()].filter((all) => all.length > 2).length;
    if (thrice > 0) verdict.broken.push(`${thrice} notifications came three times`);
    if (at.receiver.received.length <= stoodBefore) verdict.broken.push('nothing went on after it woke');
    return { ...verdict, figures: { 'frozen for': `${FROZEN_SECONDS} s`, ...verdict.figures } };
  },
};

/** Whoever has the most notifications under way at this moment. */
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
