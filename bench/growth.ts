/**
 * `npm run bench -- growth [FINISHED [TIMES]]`: whether requests get slower as history grows. Measures two servers in
 * turn, one with a thousand finished pages and moments and one with FINISHED, so other load on the machine affects
 * both. In addition to the time, it prints the number of database blocks that each request touches, which does not
 * depend on load, and names every large table that had a sequential scan.
 */
import { Client } from 'pg';
import { freePort } from '../testing/free-port.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { addHistory } from './history.ts';
import { startProvider } from './latency.ts';
import { type RunningServer, startServer } from './server.ts';

const FEW = 1_000;
const many = Number(process.argv[2] ?? 1_000_000);
const times = Number(process.argv[3] ?? 200);

const provider = await startProvider(await freePort());
const organization = `
organization: { name: Bench, time_zone: UTC }
users:
  - { email: ada@example.com, role: owner, contact_methods: [ { type: webhook, value: "${provider.url}" } ] }
teams: [ { slug: sre, members: [ada@example.com] } ]
schedules:
  - name: SRE
    team: sre
    strategy: rotation
    backstop: ada@example.com
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [ada@example.com] } ]
`;

type Side = { server: RunningServer; client: Client; hook: string; lastRequest: string };

async function open(finished: number): Promise<Side> {
  const server = await startServer(organization);
  const client = new Client(server.superuser);
  await client.connect();
  const hook = new URL(
    await server.command('webhook', 'create', '--team', 'sre', '--name', 'b', '--type', 'custom'),
  );
  const began = performance.now();
  await addHistory(client, 0, finished);
  const seconds = (performance.now() - began) / 1_000;
  const { rows } = await client.query<{ mb: string }>(
    'select round(pg_database_size(current_database()) / 1e6) as mb',
  );
  line(`${finished} finished pages and moments: written in`, `${seconds.toFixed(0)} s`, `${rows[0]?.mb} MB`);
  return { server, client, hook: hook.pathname, lastRequest: '' };
}

let titles = 0;

type Answer = { service_request_id?: string };

async function ask(
  { server }: Side,
  path: string,
  body?: object,
  key: string | null = server.key,
): Promise<Answer> {
  const response = await fetch(server.url + path, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

const REQUESTS: Record<string, (side: Side) => Promise<unknown>> = {
  'page, until the provider has it': async (side) => {
    const title = `growth ${titles++}`;
    const body = { recipient: 'sre', title, text: 'measured', urgency: 'low' };
    side.lastRequest = (await ask(side, '/page/team', body)).service_request_id ?? '';
    while (!provider.arrived.has(title)) await new Promise((resolve) => setImmediate(resolve));
  },
  'moment by webhook': (side) =>
    ask(side, side.hook, { name: `host ${titles++}`, type: 'Alert', source: 'bench' }, null),
  'status of a request': (side) => ask(side, `/request/${side.lastRequest}/status`),
  'list of pages': (side) => ask(side, '/api/pages'),
  'list of moments': (side) => ask(side, '/api/moments'),
  'list of schedules': (side) => ask(side, '/schedules'),
};

async function touched({ client }: Side): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: string }>(
    'select blks_hit + blks_read as n from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.n);
}

const few = await open(FEW);
const lots = await open(many);
try {
  line('', `${FEW}`, `${many}`, 'ratio', 'touched', 'ratio');
  for (const [name, request] of Object.entries(REQUESTS)) {
    const took = new Map<Side, number[]>([few, lots].map((side) => [side, []]));
    // Each connection prepares and plans its statements first.
    for (let n = 0; n < 20; n++) for (const side of took.keys()) await request(side);
    const before = await Promise.all([touched(few), touched(lots)]);
    for (let n = 0; n < times; n++)
      for (const [side, durations] of took) {
        const began = performance.now();
        await request(side);
        durations.push(performance.now() - began);
      }
    // PostgreSQL publishes the statistics of a connection once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const after = await Promise.all([touched(few), touched(lots)]);
    const [small, large] = [few, lots].map((side) => percentile(took.get(side) ?? [], 0.5)) as [
      number,
      number,
    ];
    const [touchedFew, touchedLots] = after.map((n, side) => (n - (before[side] ?? 0)) / times) as [
      number,
      number,
    ];
    line(
      name,
      milliseconds(small),
      milliseconds(large),
      (large / small).toFixed(2),
      `${touchedFew.toFixed(0)} → ${touchedLots.toFixed(0)}`,
      (touchedLots / touchedFew).toFixed(2),
    );
  }
  const { rows } = await lots.client.query<{ relname: string; reads: string }>(
    `select relname, seq_tup_read as reads from pg_stat_user_tables
     where seq_tup_read > 0 and n_live_tup > $1 and last_seq_scan > now() - interval '10 minutes' order by 1`,
    [many / 2],
  );
  line('large tables read as a whole', rows.map(({ relname }) => relname).join(', ') || 'none');
  line(
    'memory of our process: few, many',
    ...(await Promise.all(
      [few, lots].map(async ({ server }) => `${(await server.memory()).toFixed(0)} MiB`),
    )),
  );
} finally {
  for (const { client, server } of [few, lots]) {
    await client.end();
    await server.stop();
  }
  provider.stop();
}
