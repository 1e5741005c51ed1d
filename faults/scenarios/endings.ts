import { setTimeout as delay } from 'node:timers/promises';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Longer than this is too slow for an operator; service managers kill after 90 s. */
const END_WITHIN_MS = 60_000;

/** A node is stopped while its database is unreachable. It must neither hang nor lose the work that it held. */
export const endWithoutDatabase: Scenario = {
  name: 'end-alone',
  promise:
    'SIGTERM of a node that cannot reach the database: the process ends, and its work continues elsewhere',
  async run({ random, place }) {
    const at = await place();
    const direct = new URL(at.cluster.database.url);
    const waits: number[] = [];
    const near = await at.start('all');
    const load = at.load({ targets: () => [near.url], perSecond: 20 });
    for (const state of ['silent', 'refused'] as const) {
      const network = await tcpProxy({ host: direct.hostname, port: Number(direct.port) });
      const through = new URL(direct);
      through.port = String(network.port);
      const far = await at.start('worker', { DATABASE_URL: through.href });
      at.receiver.always({ status: 204, delayMs: 500 });
      await delay(random.between(1_000, 2_000));
      network.set(state);
      await delay(500);
      const began = performance.now();
      const gone = far.process.end('SIGTERM').then(() => true);
      if (!(await Promise.race([gone, delay(END_WITHIN_MS, false)]))) far.process.child.kill('SIGKILL');
      await gone;
      waits.push(performance.now() - began);
      at.receiver.always(null);
      await network.stop();
    }
    const verdict = await at.settle(load, { repeats: 60, withinMs: 45_000 });
    const slowest = Math.max(...waits);
    if (slowest > END_WITHIN_MS) verdict.broken.push(`it did not end within ${seconds(END_WITHIN_MS)}`);
    return { ...verdict, figures: { 'ended after, slowest': seconds(slowest), ...verdict.figures } };
  },
};
