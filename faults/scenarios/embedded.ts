import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../../bench/server.ts';
import { webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { broken, judge, untilArrived } from '../ledger.ts';
import { startLoad } from '../load.ts';
import { percentile, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Includes the recovery of the database, whose start alone takes seconds on a busy machine. */
const BACK_WITHIN_MS = 30_000;

const organization = (webhook: string) => `
organization: { name: Faults, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}" } ]
`;

/** The embedded PostgreSQL of `npm start` is killed. */
export const deathOfTheEmbeddedDatabase: Scenario = {
  name: 'embedded-kill',
  promise: 'SIGKILL of the embedded PostgreSQL under load: it is started again, and nothing accepted is lost',
  async run({ seconds: length, random }) {
    const receiver = await webhookReceiver();
    const server = await startServer(organization(receiver.url), { LOG_LEVEL: 'silent' });
    try {
      const load = startLoad({
        ...{ targets: () => [server.url], key: server.key, perSecond: 40, random, name: 'embedded-kill' },
      });
      const directory = join(server.dataDir, 'postgres');
      const end = performance.now() + length * 1_000;
      let kills = 0;
      let longestAwayMs = 0;
      while (performance.now() < end) {
        await delay(random.between(1_000, 3_000));
        killPostmaster(directory);
        kills++;
        longestAwayMs = Math.max(longestAwayMs, await untilServing(server.url));
      }
      const pages = await load.end();
      await untilArrived(receiver, pages, 45_000);
      const judged = judge(pages, receiver.received);
      return {
        figures: {
          kills,
          'away, longest': seconds(longestAwayMs),
          accepted: judged.accepted,
          lost: judged.lost.length,
          repeats: judged.repeats,
          'arrived, 99th': seconds(percentile(judged.latencies, 0.99)),
          'longest until accepted': seconds(load.longestMs),
        },
        broken: [
          ...broken(judged, kills * 20),
          ...(longestAwayMs > BACK_WITHIN_MS ? [`it served again after ${seconds(longestAwayMs)}`] : []),
        ],
      };
    } finally {
      await server.stop();
      await receiver.stop();
    }
  },
};

/** Milliseconds until the service reports that it is ready. */
async function untilServing(url: string): Promise<number> {
  const began = performance.now();
  // The first answer may be from before the service noticed the fault.
  await delay(100);
  while (performance.now() - began < 60_000) {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    if (answer?.ok) break;
    await delay(50);
  }
  return performance.now() - began;
}

/** Like the kernel's OOM killer. A server that is just starting is left alone. */
function killPostmaster(directory: string): void {
  try {
    process.kill(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
