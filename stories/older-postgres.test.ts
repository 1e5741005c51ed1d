/**
 * An upgrade that brings another major version of the embedded PostgreSQL: the new release refuses the old files, and a
 * backup transfers all their contents. The older PostgreSQL is Debian's.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client as Database } from 'pg';
import { installedBinaries } from '../packages/embedded-postgres/binaries.ts';
import { embeddedConnection, withEmbeddedPostgres } from '../packages/embedded-postgres/visit.ts';
import { listCounters } from '../src/db/backup/catalog.ts';
import { waitForMigrations } from '../src/db/migration-locks.ts';
import { type CommandLine, commandLine, type Served } from '../testing/command-line.ts';
import { type Contents, contentsOfTables } from '../testing/contents-of-tables.ts';
import { type Client, dashboardClient } from '../testing/dashboard-client.ts';
import { stopLeftover } from '../testing/embedded.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type OlderRelease, olderRelease } from '../testing/older-release.ts';

const organization = (adas: string, others: string) => `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${adas}" }, { type: phone, value: "+15005550006" } ]
    notification_rules: { high: [ { after_minutes: 0, types: [webhook] }, { after_minutes: 5, types: [phone] } ] }
  - { email: alan@example.com, name: "Älan \\\\. \\"Turing\\" 🌩", contact_methods: [ { type: webhook, value: "${others}alan" } ] }
  - { email: grace@example.com, name: Grace Hopper, contact_methods: [ { type: webhook, value: "${others}grace" } ] }
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com, alan@example.com, grace@example.com] } ]
schedules:
  - name: SRE
    team: sre
    backstop: alan@example.com
    plan_ahead_weeks: 26
    shifts: { every: week, handoff: "Monday 09:00" }
    stages:
      - { stage: 1, members: [ada@example.com], escalate_after_minutes: 10 }
      - { stage: 2, members: [grace@example.com], escalate_after_minutes: 10 }
    overrides: [ { stage: 2, user: alan@example.com, start: 2098-11-20T00:00:00Z, end: 2098-11-21T00:00:00Z } ]
availabilities:
  - { user: grace@example.com, type: soft_unavailable, name: Birthday, start: 2098-12-10T00:00:00Z, end: 2098-12-11T00:00:00Z }
`;

/** Tables that must have rows, because otherwise the comparison would prove nothing. */
const FILLED =
  `api_keys audit_log availabilities contact_methods deliveries delivery_attempts idempotency_keys installation
  moments nodes notification_moments notification_rules overrides page_events page_steps pages received_notifications requests
  responders schedule_stages schedules shifts stage_members team_members users webhooks`.split(/\s+/);

/** Checks signatures with the secret that she got when she was created. */
let adas: WebhookReceiver;
let others: WebhookReceiver;
let older: OlderRelease;
let old: CommandLine;
let now: CommandLine;
let dataDir = '';
let env: Record<string, string> = {};
let key = '';
let server: Served | null = null;
let custom: Answer;
let gitlab: Answer;
let acknowledgeUrl = '';
const accepted: string[] = [];
/** How many were accepted when the backups began. */
let acceptedBefore = 0;
let instant: Record<string, Contents> = {};

before(async () => {
  older = olderRelease();
  adas = await webhookReceiver();
  others = await webhookReceiver();
  now = commandLine(null);
  old = commandLine(null, older.tree);
  dataDir = now.env.DATA_DIR ?? '';
  // The secret key is generated into DATA_DIR, as it is when none is set.
  env = { DATA_DIR: dataDir, SECRET_KEY: '', ALLOW_PRIVATE_WEBHOOKS: 'true' };
});

after(async () => {
  await stop();
  if (dataDir) await stopLeftover(dataDir);
  old?.remove();
  now?.remove();
  older?.remove();
  await adas?.stop();
  await others?.stop();
});

type Answer = { id: string; url: string; signing_secret: string; service_request_id: string } & {
  response: { status: string; moments: unknown[] };
};

async function done(release: CommandLine, ...args: string[]): Promise<string> {
  const ran = await release.run(args, { env });
  assert.equal(ran.code, 0, ran.stderr);
  return ran.stdout.trim();
}

/** The address of the release that is serving. */
function serving(): string {
  assert.ok(server, 'a release serves');
  return server.url;
}

async function stop(): Promise<void> {
  const served = server;
  server = null;
  await served?.stop();
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await fetch(serving() + path, { method, headers, body: body ? JSON.stringify(body) : null });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()) as Answer;
}

/** Ada follows a sign-in link of the operator, as a browser does. */
async function signIn(release: CommandLine): Promise<Client> {
  const { pathname } = new URL(await done(release, 'sign-in-link', 'ada@example.com'));
  const arrived = await fetch(serving() + pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return dashboardClient(serving(), arrived.headers.getSetCookie()[0]?.split(';')[0]);
}

async function page(to: 'team' | 'person', recipient: string, title: string): Promise<string> {
  const body = { recipient, title, text: 'db-1\thas "no" space \\. left\\N', urgency: 'high' };
  return (await call('POST', `/page/${to}`, body)).service_request_id;
}

async function acknowledge(link: string): Promise<void> {
  // The link has the address of another port, but its signature is the service's.
  const { pathname, search } = new URL(link);
  const answer = await fetch(serving() + pathname + search, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Calls the webhook's URL and waits for the resulting moment. */
async function report(name: string): Promise<void> {
  const body = { name, type: 'Incident', source: 'Düsseldorf' };
  const { service_request_id: id } = await call('POST', new URL(custom.url).pathname, body);
  const outcome = async () => {
    const { response } = await call('GET', `/request/${id}/status?wait=10`);
    return [response.status, response.moments.length];
  };
  await eventually(outcome, ['succeeded', 1]);
}

async function connect(connection: Awaited<ReturnType<typeof embeddedConnection>>): Promise<Database> {
  assert.ok(connection, 'the database runs');
  const client = new Database({ ...connection });
  await client.connect();
  return client;
}

/** Every file in the folder, with its owner, mode, time and contents. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { uid, mode, mtimeMs } = statSync(path);
      return [path, uid, mode, mtimeMs, createHash('sha256').update(readFileSync(path)).digest('hex')].join(
        ' ',
      );
    })
    .sort();
}

/** Without the first line, which has the time of the backup, and the last, which has the checksum. */
function rowsIn(backup: string): string {
  const text = gunzipSync(readFileSync(backup)).toString('utf8');
  return text.slice(text.indexOf('\n'), text.lastIndexOf('\n-- end '));
}

test('an old release fills a database of its own PostgreSQL', { timeout: 600_000 }, async () => {
  const file = join(dataDir, 'acme.yaml');
  writeFileSync(file, organization(adas.url, others.url));
  server = await old.serve(env);
  assert.equal(readFileSync(join(dataDir, 'postgres/PG_VERSION'), 'utf8').trim(), older.postgres);
  const applied = await done(old, 'apply', file);
  adas.secret = /ada@example\.com .* (whsec_\S+)/.exec(applied)?.[1] ?? '';
  assert.notEqual(adas.secret, '');
  key = await done(old, 'key', 'create', '--user', 'ada@example.com', '--name', 'laptop');
  const ada = await signIn(old);
  const made = await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'Probes', type: 'custom' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  custom = made.body;
  const signed = { team: 'sre', name: 'Issues', type: 'gitlab', signing_secret: 'correct horse' };
  gitlab = (await ada.call('POST', '/api/webhooks', signed)).body;
  await report('Größe der Warteschlange');
  accepted.push(await page('team', 'sre', 'Acknowledged before'));
  await acknowledge((await adas.next()).body.acknowledge_url);
  accepted.push(await page('team', 'sre', 'Climbing'));
  acknowledgeUrl = (await adas.next()).body.acknowledge_url;
});

test('while it serves, both releases back up the same instant, and pages continue', {
  timeout: 600_000,
}, async () => {
  const watcher = await connect(await embeddedConnection(dataDir));
  const holder = await connect(await embeddedConnection(dataDir));
  let loading = true;
  let loaded = 0;
  const load = (async () => {
    for (; loading; loaded++) accepted.push(await page('person', 'alan@example.com', `Load ${loaded}`));
  })();
  await eventually(async () => loaded > 10, true);

  // Backups begin and wait to continue while the server is frozen, so nothing changes between their snapshot and ours.
  const serverPid = Number(readFileSync(join(dataDir, 'server.pid'), 'utf8'));
  await waitForMigrations(holder);
  process.kill(serverPid, 'SIGSTOP');
  const before = accepted.length;
  const backups = [
    done(old, 'backup', join(dataDir, 'old.backup')),
    done(now, 'backup', join(dataDir, 'now.backup')),
  ];
  const waiting = async () => {
    const { rowCount } = await holder.query(
      `select from pg_stat_activity where application_name = 'tocsin backup' and wait_event_type = 'Lock'`,
    );
    return rowCount;
  };
  try {
    await eventually(waiting, 2);
    await watcher.query('begin isolation level repeatable read read only; select version()');
  } finally {
    process.kill(serverPid, 'SIGCONT');
  }
  await eventually(async () => accepted.length > before + 5, true);
  await holder.end();
  await Promise.all(backups);
  loading = false;
  await load;
  instant = await contentsOfTables(watcher);
  await watcher.end();
  await stop();
  acceptedBefore = before;
  const empty = FILLED.filter((table) => !instant[table]?.rows);
  assert.deepEqual(empty, []);
  assert.equal(rowsIn(join(dataDir, 'now.backup')), rowsIn(join(dataDir, 'old.backup')));
});

test('the new release names the fix, and changes nothing', { timeout: 600_000 }, async () => {
  const files = filesOf(dataDir);
  const cluster = join(dataDir, 'postgres');
  const told =
    `The database in ${cluster} was made by PostgreSQL ${older.postgres}, and this Tocsin brings PostgreSQL ` +
    `${installedBinaries().major}. With the Tocsin that made it run: tocsin backup FILE. Then move ${cluster} away, and with ` +
    'this one run: tocsin restore FILE.\n';
  for (const args of [['serve'], ['restore', join(dataDir, 'now.backup')]]) {
    assert.deepEqual(await now.run(args, { env }), { code: 1, stdout: '', stderr: told });
  }
  assert.deepEqual(filesOf(dataDir), files);
  // The first remedy that the error names works.
  await done(old, 'backup', join(dataDir, 'stopped.backup'));
});

test('the backup restores every row, and numbers continue', { timeout: 600_000 }, async () => {
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres-old'));
  await done(now, 'restore', join(dataDir, 'old.backup'));
  await withEmbeddedPostgres(dataDir, async (connection) => {
    const client = await connect(connection);
    await compare(client).finally(() => client.end());
  });
});

async function compare(client: Database): Promise<void> {
  assert.deepEqual(await contentsOfTables(client), instant);
  for (const { table, last } of await listCounters(client))
    assert.ok(last >= (instant[table]?.highest ?? 0), `${table}: ${last}`);
  // Ten minutes later, nobody has answered.
  const { rowCount } = await client.query(
    `update page_steps set due_at = now() where state = 'due' and kind = 'stage'
      and page_id = (select id from pages where title = 'Climbing')`,
  );
  assert.equal(rowCount, 1);
}

test('the service continues: pages, keys, links, webhooks', { timeout: 600_000 }, async () => {
  server = await now.serve(env);
  const climbed = await others.expect(({ path, body }) => path === '/grace' && body.title === 'Climbing');
  assert.equal(climbed.body.stage, 2);
  await acknowledge(acknowledgeUrl);
  for (const id of accepted.slice(0, acceptedBefore)) await call('GET', `/request/${id}/status`);
  await page('team', 'sre', 'After the upgrade');
  await adas.expect(({ body }) => body.title === 'After the upgrade');
  await report('After the upgrade');
  const shown = await (await signIn(now)).call('GET', `/api/webhooks/${gitlab.id}`);
  assert.equal(shown.body.signing_secret, 'correct horse');
  await stop();
  adas.assertNothingUnexpected();
});
