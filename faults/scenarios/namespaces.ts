import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../testing/free-port.ts';
import { type Namespace, namespace } from '../namespaces.ts';
import type { Place, Server } from '../place.ts';
import { type MortalPostgres, mortalPostgres } from '../postgres.ts';
import type { Scenario, Stage, Verdict } from '../scenario.ts';
import { untilServing, withRecovery } from './network.ts';

const NOT_HERE = 'only root may make network namespaces, with iproute2';

/**
 * Two nodes with networks of their own, connected to the database by virtual cables, which are cut and later lose
 * packets.
 */
export const cutCables: Scenario = {
  name: 'namespaces',
  promise:
    "the cable between one of two nodes and the database is pulled for 30 s, then the other node's loses and delays packets",
  async run(stage) {
    const far = namespace(1);
    const near = far && namespace(2);
    if (!far || !near) {
      far?.remove();
      return { figures: {}, broken: [], skipped: NOT_HERE };
    }
    const home = mkdtempSync(join(tmpdir(), 'tocsin-faults-'));
    const addresses = ['127.0.0.1', far.gateway, near.gateway].join(',');
    const postgres = await mortalPostgres(home, { settings: { listen_addresses: addresses } });
    try {
      appendFileSync(join(home, 'data', 'pg_hba.conf'), 'host all all 10.213.0.0/16 scram-sha-256\n');
      await postgres.end('SIGINT');
      await postgres.start();
      return await cutOff(stage, { far, near }, postgres);
    } finally {
      await postgres.remove();
      far.remove();
      near.remove();
    }
  },
};

async function cutOff(
  { seconds: length, place }: Stage,
  nets: { far: Namespace; near: Namespace },
  postgres: MortalPostgres,
): Promise<Verdict> {
  const at = await place({ postgres });
  const far = await startIn(at, nets.far);
  const near = await startIn(at, nets.near);
  const load = at.load({ targets: () => [far.url, near.url], perSecond: 20 });
  await delay(1_500);
  nets.far.cable('down');
  await delay(30_000);
  nets.far.cable('up');
  const healed = performance.now();
  await untilServing(far.url);
  const recoveredMs = performance.now() - healed;
  const bad = nets.near.disturb({ lossPercent: 10, delayMs: 40 });
  await delay(length * 1_000);
  if (bad) nets.near.disturb(null);
  const verdict = await at.settle(load, { repeats: 40, withinMs: 60_000 });
  await at.end();
  const figures = {
    'one packet in ten lost': bad ? `${length} s` : 'this kernel cannot',
    ...verdict.figures,
  };
  return withRecovery({ ...verdict, figures, recoveredMs }, 15_000);
}

async function startIn(at: Place, net: Namespace): Promise<Server> {
  const port = await freePort();
  const database = new URL(at.cluster.database.url);
  database.hostname = net.gateway;
  await net.open({ there: [port], here: [Number(new URL(at.receiver.url).port)] });
  return at.start('all', { DATABASE_URL: database.href }, port, { enter: net.enter });
}
