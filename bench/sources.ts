/** `npm run bench -- sources`: page sources compared with `/page/team`, and a flood of one dedup key. */
import { Agent } from 'node:http';
import { Client } from 'pg';
import { freePort } from '../testing/free-port.ts';
import { ourAccepts, post } from './accept.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { type Provider, startProvider } from './latency.ts';
import { type RunningServer, startServer } from './server.ts';

/** How long the flood of one dedup key lasts, in seconds. */
const SECONDS = Number(process.argv[2] ?? 60);
const EVENTS_PER_SECOND = 1_000;
/** Requests of each kind in the comparison, one after the other. */
const PAIRS = Math.min(400, 20 * SECONDS);
const PAGE_EVERY_MS = 200;
/** How long events wait to be processed after the flood. */
const PATIENCE_MS = 120_000;

const organization = (webhook: string) => `
organization: { name: Bench, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}" } ]
  - email: grace@example.com
    name: Grace Hopper
    contact_methods: [ { type: webhook, value: "${webhook}" } ]
teams:
  - { name: SRE, slug: sre, members: [ada@example.com] }
  - { name: Web, slug: web, members: [grace@example.com] }
`;

const provider = await startProvider(await freePort());
/** The limits that an installation has unless it sets others. */
const USUAL_LIMITS = { RATE_LIMIT_PER_SECOND: '100', RATE_LIMIT_BURST: '1000' };
try {
  await withServer({}, compare);
  await withServer(USUAL_LIMITS, (server, path) => flood(server, provider, path));
} finally {
  provider.stop();
}

async function withServer(
  env: Record<string, string>,
  measure: (server: RunningServer, path: string) => Promise<void>,
): Promise<void> {
  const server = await startServer(organization(provider.url), env);
  try {
    await measure(server, await makeSource(server));
  } finally {
    await server.stop();
  }
}

async function makeSource({ command }: RunningServer): Promise<string> {
  const made = await command('source', 'create', '--team', 'sre', '--name', 'Bench', '--type', 'custom');
  return new URL(made).pathname;
}

/** How long both kinds of requests take to be answered, in turns on an idle service, and then with 64 clients. */
async function compare(server: RunningServer, path: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [pages, events]: [number[], number[]] = [[], []];
  const timed = async (into: number[], where: string, body: Record<string, unknown>) => {
    const began = performance.now();
    const status = await post(agent, server, where, body);
    if (status !== 200) throw new Error(`${where} was answered ${status}`);
    into.push(performance.now() - began);
  };
  for (let index = 0; index < PAIRS; index++) {
    const title = `compared ${index}`;
    await timed(pages, '/page/team', { recipient: 'sre', title, text: 'measured', urgency: 'low' });
    await timed(events, path, { title, text: 'measured', urgency: 'low', dedup_key: title });
  }
  agent.destroy();
  answers('the answer of /page/team, idle: median, 99th', pages);
  answers('the answer of a source, idle: median, 99th', events);
  line('ratio of the medians', ratio(percentile(events, 0.5), percentile(pages, 0.5)));
  const seconds = Math.min(8, SECONDS);
  const body = { title: 'Disk full', text: 'measured', urgency: 'low' };
  const team = await ourAccepts(server, seconds, () => ({ ...body, recipient: 'sre' }));
  await processed(server);
  const source = await ourAccepts(server, seconds, () => ({ ...body, dedup_key: 'compared' }), { path });
  await processed(server);
  line('/page/team, 64 connections: a second', team.perSecond.toFixed(0));
  line('a source, 64 connections: a second', source.perSecond.toFixed(0));
  line('ratio', ratio(source.perSecond, team.perSecond));
}

/** Sends many events of one dedup key, and pages the other team now and then. */
async function flood(server: RunningServer, provider: Provider, path: string): Promise<void> {
  const idle = await pagesOfOtherTeam(server, provider, 'idle', Math.max(2, SECONDS / 4));
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const calls: Promise<number>[] = [];
  const began = performance.now();
  const event = { title: 'flood', text: 'measured', urgency: 'low', dedup_key: 'flood' };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1_000) * EVENTS_PER_SECOND);
    while (calls.length < due) calls.push(post(agent, server, path, event));
  }, 5);
  const during = await pagesOfOtherTeam(server, provider, 'flooded', SECONDS);
  clearInterval(timer);
  const statuses = await Promise.all(calls);
  agent.destroy();
  await processed(server);
  const answered = (wanted: number) => String(statuses.filter((status) => status === wanted).length);
  line('events of one dedup key: sent, accepted, 429', String(statuses.length), answered(200), answered(429));
  line('pages of that key', String(await pagesOfKey(server, 'flood')));
  answers('a page of another team, idle, to the provider: median, 99th', idle.arrived);
  answers('the same during those events: median, 99th', during.arrived);
  line('lost', String(idle.lost + during.lost));
  line('ratio of the medians', ratio(percentile(during.arrived, 0.5), percentile(idle.arrived, 0.5)));
}

type Arrivals = { arrived: number[]; lost: number };

/** From sending each page to its arrival at the provider, in milliseconds. */
async function pagesOfOtherTeam(
  server: RunningServer,
  provider: Provider,
  name: string,
  seconds: number,
): Promise<Arrivals> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const sent = new Map<string, number>();
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    const title = `${name} ${sent.size}`;
    sent.set(title, performance.now());
    await post(agent, server, '/page/team', { recipient: 'web', title, text: 'measured', urgency: 'low' });
    await new Promise((resolve) => setTimeout(resolve, PAGE_EVERY_MS));
  }
  const end = performance.now() + PATIENCE_MS;
  while ([...sent.keys()].some((title) => !provider.arrived.has(title)) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
  agent.destroy();
  const arrived = [...sent].flatMap(([title, at]) => {
    const arrival = provider.arrived.get(title);
    return arrival === undefined ? [] : [arrival - at];
  });
  return { arrived, lost: sent.size - arrived.length };
}

/** Resolves when no call waits to be processed. */
async function processed({ connection }: RunningServer): Promise<void> {
  const waiting = "select count(*)::integer as count from received_notifications where state = 'queued'";
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    if ((await count(connection, waiting)) === 0) return;
    if (performance.now() > end) throw new Error('events wait for two minutes after the last one');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function pagesOfKey({ connection }: RunningServer, key: string): Promise<number> {
  return count(connection, `select count(*)::integer as count from pages where dedup_key = '${key}'`);
}

async function count(connection: RunningServer['connection'], query: string): Promise<number> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query<{ count: number }>(query)).rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

function answers(what: string, durations: readonly number[]): void {
  line(what, milliseconds(percentile(durations, 0.5)), milliseconds(percentile(durations, 0.99)));
}

function ratio(one: number, other: number): string {
  return (one / other).toFixed(2);
}
