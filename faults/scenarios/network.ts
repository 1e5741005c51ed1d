import { setTimeout as delay } from 'node:timers/promises';
import { type TcpProxy, tcpProxy } from '../../testing/tcp-proxy.ts';
import { type Place, seconds } from '../place.ts';
import type { Scenario, Verdict } from '../scenario.ts';

/** One node reaches the database through a faulty network; the other node is not affected and continues. */
async function partition(
  at: Place,
  fail: (network: TcpProxy) => Promise<void>,
): Promise<Verdict & { recoveredMs: number }> {
  const direct = new URL(at.cluster.database.url);
  const network = await tcpProxy({ host: direct.hostname, port: Number(direct.port) });
  const through = new URL(direct);
  through.port = String(network.port);
  try {
    const far = await at.start('all', { DATABASE_URL: through.href });
    const near = await at.start('all');
    const load = at.load({ targets: () => [far.url, near.url], perSecond: 20 });
    await delay(1_500);
    await fail(network);
    const healed = performance.now();
    await untilServing(far.url);
    const recoveredMs = performance.now() - healed;
    await delay(1_000);
    const verdict = await at.settle(load, { repeats: 40, withinMs: 60_000 });
    return { ...verdict, recoveredMs };
  } finally {
    await network.stop();
  }
}

/** Polls `/readyz` until the node can accept pages again. */
export async function untilServing(url: string): Promise<void> {
  for (const deadline = performance.now() + 90_000; performance.now() < deadline; await delay(50)) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
    if (answer?.ok) return;
  }
}

export function withRecovery(
  { recoveredMs, ...verdict }: Verdict & { recoveredMs: number },
  withinMs: number,
): Verdict {
  if (recoveredMs > withinMs)
    verdict.broken.push(`the node served again only ${seconds(recoveredMs)} after the network was back`);
  return { ...verdict, figures: { 'serves again after': seconds(recoveredMs), ...verdict.figures } };
}

export const silentNetwork: Scenario = {
  name: 'partition',
  promise: 'the network drops every packet between one of two nodes and the database, for 30 s',
  async run({ short, place }) {
    const verdict = await partition(await place(), async (network) => {
      network.set('silent');
      await delay(short ? 5_000 : 30_000);
      network.set('open');
    });
    return withRecovery(verdict, 15_000);
  },
};

export const forgottenConnections: Scenario = {
  name: 'half-open',
  promise: 'a firewall forgets connections: they stay open and receive nothing',
  async run({ place }) {
    const verdict = await partition(await place(), async (network) => network.forgetConnections());
    return withRecovery(verdict, 20_000);
  },
};

export const resetNetwork: Scenario = {
  name: 'resets',
  promise: 'connections to the database are reset repeatedly, on a slow network',
  async run({ seconds: length, random, place }) {
    const verdict = await partition(await place(), async (network) => {
      for (const end = performance.now() + length * 1_000; performance.now() < end; ) {
        network.delay(random.between(0, 60));
        await delay(random.between(500, 2_000));
        network.set('refused');
        await delay(random.between(50, 500));
        network.set('open');
      }
      network.delay(0);
    });
    return withRecovery(verdict, 10_000);
  },
};
