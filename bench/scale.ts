/**
 * `npm run bench -- scale [SECONDS]`: how many pages one, two and four processes accept with one PostgreSQL, and how
 * long it takes to send all of them; then what clients notice while every process is replaced in turn. The load comes
 * from the same machine, so on two cores this shows the cost of more processes rather than their benefit.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/supervisor.ts';
import { freePort } from '../testing/free-port.ts';
import { serviceProgram } from '../testing/service-program.ts';
import { ourAccepts, post } from './accept.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { startProvider } from './latency.ts';
import { METRICS_HEADERS, tocsin, v8Flags } from './server.ts';

const SECONDS = Number(process.argv[2] ?? 5);
const root = new URL('../', import.meta.url).pathname;
type Role = 'all' | 'api' | 'worker';
const FORMATIONS: Role[][] = [['all'], ['api', 'worker'], ['api', 'api', 'worker', 'worker']];

const provider = await startProvider(await freePort());
const folder = await mkdtemp(join(tmpdir(), 'tocsin-scale-'));
await chmod(folder, 0o755);
const quiet = { info: () => undefined, warn: () => undefined };
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: quiet });
const { host, port, user, password } = database.connection;
const settings = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/tocsin?host=${encodeURIComponent(host)}`,
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  METRICS_TOKEN: 'bench',
  LOG_LEVEL: 'warn',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '10000000',
};

type Process = { url: string; role: Role; port: number; end(): Promise<void> };

async function start(role: Role, port?: number): Promise<Process> {
  const at = port ?? (await freePort());
  const env = { ...settings, PORT: String(at), UPLOAD_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [...v8Flags, serviceProgram(), 'serve', '--role', role], {
    cwd: root,
    env,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${at}`;
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null)
      throw new Error(`a process with the role ${role} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, role, port: at, end: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function measure(roles: readonly Role[], key: string): Promise<number> {
  const processes = await Promise.all(roles.map((role) => start(role)));
  const doors = processes.filter(({ role }) => role !== 'worker');
  const body = { recipient: 'sre', title: `scale ${roles.length}`, text: 'x', urgency: 'low' };
  const load = (seconds: number) =>
    Promise.all(
      doors.map(({ url }) =>
        ourAccepts({ url, key }, seconds, () => body, { connections: 64 / doors.length }),
      ),
    );
  await load(1);
  await idle(processes);
  const began = performance.now();
  const results = await load(SECONDS);
  await idle(processes);
  const accepted = results.reduce((sum, { latencies }) => sum + latencies.length, 0);
  const latencies = results.flatMap((result) => result.latencies);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  line(
    roles.join(' + '),
    (accepted / SECONDS).toFixed(0),
    milliseconds(percentile(latencies, 0.5)),
    milliseconds(percentile(latencies, 0.99)),
    (accepted / ((performance.now() - began) / 1_000)).toFixed(0),
    String(failures),
  );
  await Promise.all(processes.map((one) => one.end()));
  return accepted / SECONDS;
}

/** Waits until nothing is due. */
async function idle([any]: readonly Process[]): Promise<void> {
  for (let quietFor = 0; quietFor < 3; ) {
    const text = await (await fetch(`${any?.url}/metrics`, { headers: METRICS_HEADERS })).text();
    const late = [...text.matchAll(/^tocsin_queue_age_seconds\{.*\} (\S+)$/gm)].some(
      ([, age]) => Number(age) > 0,
    );
    quietFor = late ? 0 : quietFor + 1;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/**
 * Replaces two processes of each role in turn while pages are raised; a client tries one other process before it gives
 * up.
 */
async function replaceAll(key: string): Promise<void> {
  const running = await Promise.all((['api', 'api', 'worker', 'worker'] as const).map((role) => start(role)));
  const doors = () => running.filter(({ role }) => role === 'api');
  let over = false;
  let turn = 0;
  const counts = { accepted: 0, again: 0, lost: 0 };
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    for (let n = 0; !over; n++) {
      const body = { recipient: 'sre', title: `replaced ${turn++}`, text: 'x', urgency: 'low' };
      const tryAt = async (door: number) => {
        const { url = '' } = doors()[door % 2] ?? {};
        return post(agent, { url, key }, '/page/team', body);
      };
      if ((await tryAt(n)) === 200) counts.accepted++;
      else if ((await tryAt(n + 1)) === 200) counts.again++;
      else counts.lost++;
    }
    agent.destroy();
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  for (const [place, old] of running.entries()) {
    await old.end();
    running[place] = await start(old.role, old.port);
  }
  over = true;
  await clients;
  await idle(running);
  const sent = [...provider.arrived.keys()].filter((title) => title.startsWith('replaced ')).length;
  line(
    'each of four replaced under load: accepted, at another door, refused',
    String(counts.accepted + counts.again),
    String(counts.again),
    String(counts.lost),
  );
  line('of these sent', String(sent));
  await Promise.all(running.map((one) => one.end()));
}

try {
  await writeFile(
    join(folder, 'acme.yaml'),
    `organization: { name: Bench, time_zone: UTC }
users: [ { email: ada@example.com, role: owner, contact_methods: [ { type: webhook, value: "${provider.url}" } ] } ]
teams: [ { slug: sre, members: [ada@example.com] } ]
`,
  );
  await tocsin(['apply', join(folder, 'acme.yaml')], settings);
  const key = (await tocsin(['key', 'create', '--user', 'ada@example.com', '--name', 'b'], settings)).trim();
  line(
    `${availableParallelism()} cores; pages over HTTP, 64 connections`,
    'accepted/s',
    'median',
    '99th',
    'sent/s',
    'refused',
  );
  const figures: number[] = [];
  for (const roles of FORMATIONS) figures.push(await measure(roles, key));
  const [one = 1] = figures;
  line('ratio to one process', ...figures.map((figure) => (figure / one).toFixed(2)));
  await replaceAll(key);
} finally {
  provider.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
