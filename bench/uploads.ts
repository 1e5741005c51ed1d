/**
 * `npm run bench -- uploads [HOW_MANY]`: the memory of simultaneous uploads of 10 MiB, and the latency of pages
 * meanwhile.
 */
import { Agent } from 'node:http';
import { freePort } from '../testing/free-port.ts';
import { post } from './accept.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { startProvider } from './latency.ts';
import { type RunningServer, startServer } from './server.ts';

const HOW_MANY = Number(process.argv[2] ?? 80);
const QUIET_PAGES = 200;

const provider = await startProvider(await freePort());
const uploadPort = await freePort();
const server = await startServer(
  `
organization: { name: Bench, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${provider.url}" } ]
teams:
  - { name: SRE, slug: sre, members: [ada@example.com] }
`,
  { UPLOAD_PORT: String(uploadPort) },
);

/** About a hundred thousand rows of 10 MiB in all. */
function file(): Buffer {
  const rows = Array.from({ length: 99_000 }, (_, hour) => {
    const start = new Date(1.8e12 + hour * 3.6e6).toISOString();
    return `ada@example.com,${start},,${`Away ${hour} `.padEnd(62, '.')}\n`;
  });
  return Buffer.from(`email,start_time,end_time,name\n${rows.join('')}`).subarray(0, 10 * 1024 ** 2);
}

async function upload(csv: Buffer): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(csv)]), 'absences.csv');
  try {
    const answer = await fetch(`http://127.0.0.1:${uploadPort}/availabilities/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: form,
      signal: AbortSignal.timeout(280_000),
    });
    for await (const _ of answer.body ?? []);
    return String(answer.status);
  } catch (error) {
    return String(error);
  }
}

async function page(agent: Agent, from: RunningServer): Promise<number> {
  const began = performance.now();
  await post(agent, from, '/page/team', {
    recipient: 'sre',
    title: 'bench',
    text: 'measured',
    urgency: 'low',
  });
  return performance.now() - began;
}

try {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pages = async (going: (count: number) => boolean) => {
    const taken: number[] = [];
    while (going(taken.length)) {
      taken.push(await page(agent, server));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return taken;
  };
  await pages((count) => count < 50);
  const quiet = await pages((count) => count < QUIET_PAGES);
  const csv = file();
  let most = 0;
  const watching = setInterval(async () => {
    most = Math.max(most, await server.memory());
  }, 100);
  const before = await server.memory();
  const began = performance.now();
  let over = false;
  const uploads = Promise.all(Array.from({ length: HOW_MANY }, () => upload(csv))).finally(() => {
    over = true;
  });
  const busy = await pages(() => !over);
  const answers = Map.groupBy(await uploads, (answer) => answer);
  clearInterval(watching);
  agent.destroy();
  line(
    `${HOW_MANY} uploads of ${(csv.length / 1024 ** 2).toFixed(0)} MiB at once`,
    `${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  for (const [answer, all] of answers) line(`answered ${answer}`, String(all.length));
  line('memory of our process: before, most', `${before.toFixed(0)} MiB`, `${most.toFixed(0)} MiB`);
  for (const [name, taken] of [
    ['quiet', quiet],
    ['meanwhile', busy],
  ] as const)
    line(
      `pages ${name}: median, 95th, 99th`,
      milliseconds(percentile(taken, 0.5)),
      milliseconds(percentile(taken, 0.95)),
      milliseconds(percentile(taken, 0.99)),
    );
} finally {
  await server.stop();
  provider.stop();
}
