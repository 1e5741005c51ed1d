/** `npm run bench -- cost`: the processor time of one page, one event and one moment, next to the bare driver's insert. */
import { Agent } from 'node:http';
import { freePort } from '../testing/free-port.ts';
import { insertPages, post, withClients } from './accept.ts';
import { line, milliseconds } from './figures.ts';
import { startProvider } from './latency.ts';
import { settled } from './load.ts';
import { alert, drained, makeWebhook } from './moments.ts';
import { databaseMs, processorMs } from './processor-time.ts';
import { type RunningServer, startServer } from './server.ts';

/** The number of each that is measured. A fifth as many run before to warm up. */
const COUNT = Number(process.argv[2] ?? 5_000);
/**
 * How long the bare driver inserts. Processor time is counted in steps of 10 ms for each process, so in less time the
 * 64 processes of the database may appear to have used none.
 */
const SECONDS = Math.max(2, COUNT / 1_000);
const CONNECTIONS = 64;

const organization = (webhook: string) => `
organization: { name: Bench, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}" } ]
teams:
  - { name: SRE, slug: sre, members: [ada@example.com] }
`;

type Cost = { client: number; database: number };

const provider = await startProvider(await freePort());
const server = await startServer(organization(provider.url));
try {
  const source = await server.command(
    'source',
    'create',
    '--team',
    'sre',
    '--name',
    'Bench',
    '--type',
    'custom',
  );
  const [events, moments] = [new URL(source).pathname, await makeWebhook(server)];
  const words = { text: 'measured', urgency: 'low' };
  const each: Record<string, (count: number) => Promise<number>> = {
    page: (count) =>
      drive(server, '/page/team', count, (n) => ({ ...words, recipient: 'sre', title: `page ${n}` })),
    event: (count) =>
      drive(server, events, count, (n) => ({ ...words, title: `event ${n}`, dedup_key: `${n}` })),
    moment: (count) => drive(server, moments, count, alert),
  };
  const bare = await withClients(server.connection, async (clients) => {
    await insertPages(clients, SECONDS / 5);
    return cost(process.pid, () => insertPages(clients, SECONDS));
  });
  line('processor time of one', 'client', 'PostgreSQL', 'ratio');
  report('insert of a page by the bare driver', bare, bare);
  for (const [name, send] of Object.entries(each)) {
    await send(Math.ceil(COUNT / 5));
    report(
      name === 'moment' ? 'moment, recorded' : `${name}, accepted and sent`,
      await cost(server.pid, () => send(COUNT)),
      bare,
    );
  }
} finally {
  await server.stop();
  provider.stop();
}

/** The processor time that one unit of `work` costs the process and the database. */
async function cost(pid: number, work: () => Promise<number>): Promise<Cost> {
  const before = [await processorMs(pid), await databaseMs(server)] as const;
  const count = await work();
  const after = [await processorMs(pid), await databaseMs(server)] as const;
  return { client: (after[0] - before[0]) / count, database: (after[1] - before[1]) / count };
}

/** Resolves to the number of accepted requests, once everything that follows from them is done. */
async function drive(
  to: RunningServer,
  path: string,
  count: number,
  body: (index: number) => Record<string, unknown>,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let [next, accepted] = [0, 0];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < count) if ((await post(agent, to, path, body(unique(next++)))) === 200) accepted++;
    }),
  );
  agent.destroy();
  await drained(to);
  await settled(to);
  return accepted;
}

/** A number that no other run of this measurement has used. */
function unique(index: number): number {
  return Math.round(performance.now()) * 1_000 + index;
}

function report(what: string, { client, database }: Cost, bare: Cost): void {
  const ratio = (client + database) / (bare.client + bare.database);
  line(what, milliseconds(client), milliseconds(database), ratio.toFixed(2));
}
