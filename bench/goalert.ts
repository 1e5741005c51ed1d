/**
 * `npm run bench -- goalert PROGRAM [SECONDS]`: how long a page of a quiet team takes to reach its provider while 32 clients flood
 * another team, for GoAlert and for Tocsin. Both use the same PostgreSQL, the same sender (GoAlert's generic integration key)
 * and the same provider, one after the other. PROGRAM is a `goalert` binary, built with `go build ./cmd/goalert`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../testing/free-port.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { type RunningServer, startServer } from './server.ts';

const [PROGRAM, seconds = '10'] = process.argv.slice(2);
if (!PROGRAM)
  throw new Error('bench -- goalert needs the path of a goalert binary; give it as the first argument');
const SECONDS = Number(seconds);
const CLIENTS = 32;
/** A page of the quiet team is sent this often. */
const PAGE_EVERY_MS = 500;
/** How long a page may take until it counts as missing. */
const PATIENCE_MS = 90_000;
const IDLE_PAGES = 10;

/** Where the integration keys of the flooded and of the quiet team are called. */
type Keys = { flooded: URL; quiet: URL };

/** When each page of the quiet team was sent, by its summary, and when it first reached the provider. */
const begun = new Map<string, number>();
const arrivals = new Map<string, number>();
const provider = createServer((call, response) => {
  const at = performance.now();
  let body = '';
  call.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  call.on('end', () => {
    const [summary] = /quiet-[a-z]+-\d+/.exec(body) ?? [];
    // GoAlert sends several alerts of a service as their number alone, so each one that was sent before counts.
    const meant = summary ? [summary] : call.url === '/quiet' ? begun.keys() : [];
    for (const one of meant) if (!arrivals.has(one)) arrivals.set(one, at);
    response.writeHead(204).end();
  });
});
const port = await freePort();
await new Promise<void>((resolve) => provider.listen(port, '127.0.0.1', resolve));
const webhook = `http://127.0.0.1:${port}/`;

const server = await startServer(`
organization: { name: Bench, time_zone: UTC }
users:
  - { email: ada@example.com, name: Ada, role: owner, contact_methods: [{ type: webhook, value: "${webhook}" }] }
  - { email: grace@example.com, name: Grace, contact_methods: [{ type: webhook, value: "${webhook}" }] }
teams:
  - { name: Flooded, slug: flooded, members: [ada@example.com] }
  - { name: Quiet, slug: quiet, members: [grace@example.com] }
`);
try {
  const ours = await measure('Tocsin', 'tocsin', await keysOfTocsin(server));
  const peer = await startGoalert(server, PROGRAM);
  try {
    const theirs = await measure('GoAlert', 'goalert', await keysOfGoalert(peer));
    line('idle, GoAlert / Tocsin', ratio(theirs.idle, ours.idle));
    line('in the flood, GoAlert / Tocsin', ratio(theirs.flooded, ours.flooded));
  } finally {
    peer.child.kill('SIGKILL');
    await once(peer.child, 'exit');
  }
} finally {
  await server.stop();
  provider.close();
}

type Medians = { idle: number; flooded: number };

/** Prints the figures of one service; returns its medians in milliseconds, infinite if most pages are missing. */
async function measure(name: string, mark: string, keys: Keys): Promise<Medians> {
  // The first pages compile code and open connections.
  await quietPages(keys.quiet, `quiet-${mark}first`, 2 * IDLE_PAGES);
  const idle = await quietPages(keys.quiet, `quiet-${mark}idle`, IDLE_PAGES);
  const ended = new AbortController();
  const flood = floodOf(keys.flooded, ended.signal);
  const flooded = await quietPages(
    keys.quiet,
    `quiet-${mark}flooded`,
    (SECONDS * 1_000) / PAGE_EVERY_MS,
    () => ended.abort(),
  );
  const { accepted, refused } = await flood;
  line(`${name}: alerts of the flood a second, refused`, (accepted / SECONDS).toFixed(0), String(refused));
  line(`${name}: a page of the quiet team, idle: median, slowest`, ...medianAndSlowest(idle));
  line(`${name}: the same in the flood: median, slowest, missing`, ...medianAndSlowest(flooded));
  return { idle: percentile(idle, 0.5), flooded: percentile(flooded, 0.5) };
}

/** From sending each page to its arrival at the provider, in milliseconds; infinite for a missing page. */
async function quietPages(key: URL, name: string, count: number, sent = () => {}): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const own = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const summary = `${name}-${index}`;
    own.set(summary, performance.now());
    begun.set(summary, performance.now());
    // A slow answer must not delay the next page.
    void raise(agent, key, summary).then(
      (status) => {
        if (status >= 300) console.error(`a page of the quiet team was answered ${status}`);
      },
      (error) => console.error(`a page of the quiet team was not answered: ${error}`),
    );
    await wait(PAGE_EVERY_MS);
  }
  sent();
  const last = performance.now() + PATIENCE_MS;
  while ([...own.keys()].some((summary) => !arrivals.has(summary)) && performance.now() < last)
    await wait(50);
  agent.destroy();
  return [...own].map(([summary, at]) => (arrivals.get(summary) ?? Number.POSITIVE_INFINITY) - at);
}

/** Alerts of the flooded team, each with a summary of its own, over 32 connections until the signal. */
async function floodOf(key: URL, signal: AbortSignal): Promise<{ accepted: number; refused: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const counts = { accepted: 0, refused: 0 };
  let next = 0;
  const client = async () => {
    while (!signal.aborted) {
      const status = await raise(agent, key, `flood ${next++}`);
      counts[status < 300 ? 'accepted' : 'refused']++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return counts;
}

async function raise(agent: Agent, key: URL, summary: string): Promise<number> {
  const body = new URLSearchParams({ summary, details: 'db-1 has no space left' }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  };
  const call = request(key, { method: 'POST', agent, headers }).end(body);
  const [response] = await once(call, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode as number;
}

async function keysOfTocsin({ url, command }: RunningServer): Promise<Keys> {
  const keyOf = async (team: string) => {
    const key = await command('source', 'create', '--team', team, '--name', 'Bench', '--type', 'goalert');
    return new URL(`/api/v2/generic/incoming?token=${key}`, url);
  };
  return { flooded: await keyOf('flooded'), quiet: await keyOf('quiet') };
}

type Goalert = { url: string; child: ChildProcess; database: string };

/** Starts GoAlert as its documentation says, with a database of its own beside ours. */
async function startGoalert({ superuser }: RunningServer, program: string): Promise<Goalert> {
  const client = new Client(superuser);
  await client.connect();
  await client.query('create database goalert');
  await client.end();
  const { host, user, password, port: databasePort } = superuser;
  const database = `postgres:///goalert?${new URLSearchParams({
    host: String(host),
    user: String(user),
    ...(databasePort ? { port: String(databasePort) } : {}),
    ...(typeof password === 'string' ? { password } : {}),
    sslmode: 'disable',
  })}`;
  const settings = ['--db-url', database, '--data-encryption-key', 'bench'];
  const run = promisify(execFile);
  await run(program, ['migrate', ...settings]);
  const admin = ['--admin', '--email', 'ada@example.com', '--user', 'ada', '--pass', 'benchmarks'];
  await run(program, ['add-user', ...settings, ...admin]);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    program,
    [...settings, '--listen', new URL(url).host, '--public-url', url, '--log-errors-only'],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  for (;;) {
    if (child.exitCode !== null) throw new Error(`GoAlert ended with ${child.exitCode} before it was ready`);
    if ((await fetch(`${url}/health`).catch(() => null))?.ok) return { url, child, database };
    await wait(100);
  }
}

/** Two services, each with a user of its own whom a webhook notifies at once. */
async function keysOfGoalert({ url, database }: Goalert): Promise<Keys> {
  const signIn = await fetch(`${url}/api/v2/identity/providers/basic`, {
    method: 'POST',
    redirect: 'manual',
    headers: { referer: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: 'ada', password: 'benchmarks' }),
  });
  const cookie = signIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const graphql = async <T>(query: string, variables: object): Promise<T> => {
    const answer = await fetch(`${url}/api/graphql`, {
      method: 'POST',
      headers: { cookie, referer: url, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await answer.json()) as { data: T; errors?: { message: string }[] };
    if (errors)
      throw new Error(`GoAlert refused ${query}: ${errors.map(({ message }) => message).join(', ')}`);
    return data;
  };
  await graphql('mutation ($input: [ConfigValueInput!]) { setConfig(input: $input) }', {
    input: [{ id: 'Webhook.Enable', value: 'true' }],
  });
  const keyOf = async (name: string) => {
    const { createUser } = await graphql<{ createUser: { id: string } }>(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
      { input: { username: name, password: 'benchmarks', name, email: `${name}@example.com` } },
    );
    await graphql(
      'mutation ($input: CreateUserContactMethodInput!) { createUserContactMethod(input: $input) { id } }',
      {
        input: {
          userID: createUser.id,
          name: 'Webhook',
          dest: { type: 'builtin-webhook', args: { webhook_url: `${webhook}${name}` } },
          newUserNotificationRule: { delayMinutes: 0 },
        },
      },
    );
    const { createService } = await graphql<{ createService: { integrationKeys: { href: string }[] } }>(
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { integrationKeys { href } } }',
      {
        input: {
          name,
          newEscalationPolicy: {
            ...{ name, repeat: 0 },
            steps: [
              { delayMinutes: 30, actions: [{ type: 'builtin-user', args: { user_id: createUser.id } }] },
            ],
          },
          newIntegrationKeys: [{ type: 'generic', name: 'Bench' }],
        },
      },
    );
    return new URL(createService.integrationKeys[0]?.href ?? '', url);
  };
  const keys = { flooded: await keyOf('flooded'), quiet: await keyOf('quiet') };
  // A person has to confirm a new contact method, which nobody can here.
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query('update user_contact_methods set disabled = false, pending = false');
  await client.end();
  return keys;
}

function medianAndSlowest(values: readonly number[]): [string, string, string] {
  const arrived = values.filter(Number.isFinite);
  const missing = String(values.length - arrived.length);
  if (arrived.length === 0) return ['none', 'none', missing];
  return [milliseconds(percentile(values, 0.5)), milliseconds(percentile(arrived, 1)), missing];
}

function ratio(theirs: number, ours: number): string {
  return Number.isFinite(theirs)
    ? (theirs / ours).toFixed(0)
    : `most of theirs took over ${PATIENCE_MS / 1_000} s`;
}
