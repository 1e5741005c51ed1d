/**
 * Behind a real PgBouncer that shares sessions: start-up is refused with the settings to change, and works once the
 * database is addressed directly.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { ALL_LISTS, stateOfLists, takeBackLists } from '../testing/before-lists.ts';
import { testDatabase } from '../testing/database.ts';
import { type Daemon, debianProgram, startDaemon } from '../testing/debian-program.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { freePort } from '../testing/free-port.ts';
import { type Cluster, cluster } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';

let receiver: WebhookReceiver;
let t: Cluster;
let folder = '';
let port = 0;
let pooler: Daemon;

before(async () => {
  receiver = await webhookReceiver();
  const database = await testDatabase();
  await takeBackLists(database);
  t = await cluster({ people: webhookPeople(receiver, 'ada') }, {}, { database });
  folder = mkdtempSync(join(tmpdir(), 'tocsin-pooler-'));
  chmodSync(folder, 0o777);
  port = await freePort();
  await pool('transaction');
});

after(async () => {
  await t.stop();
  await pooler.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The settings with which connections are opened; a pooler in session mode may have them as its own defaults. */
const SETTINGS = 'options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout';

async function pool(mode: string): Promise<void> {
  const { hostname, port: server, username, password, pathname } = new URL(t.database.url);
  const settings = join(folder, 'pgbouncer.ini');
  const credentials = `user=${username}${password ? ` password=${decodeURIComponent(password)}` : ''}`;
  writeFileSync(
    settings,
    `[databases]
tocsin = host=${hostname} port=${server || 5432} dbname=${pathname.slice(1)} ${credentials}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
ignore_startup_parameters = ${mode === 'session' ? SETTINGS : 'extra_float_digits'}
`,
  );
  const path = debianProgram('pgbouncer', 'pgbouncer');
  const unprivileged = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  pooler = await startDaemon(path, [...unprivileged, settings], {}, () => accepts(port));
}

function accepts(at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

const throughPooler = () => `postgres://tocsin@127.0.0.1:${port}/tocsin`;

it('is recognised, and refused without a direct address', async () => {
  await assert.rejects(t.start({ env: { DATABASE_URL: throughPooler() } }), /ended with 1/);
});

it('carries pages of two processes if locks and notifications bypass it', {
  timeout: 600_000,
}, async () => {
  const env = { DATABASE_URL: throughPooler(), DATABASE_DIRECT_URL: t.database.url };
  const api = await t.start({ role: 'api', env });
  const worker = await t.start({ role: 'worker', env });
  const page = async (title: string) => {
    const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ recipient: 'ada@example.com', title, text: 'x' });
    const answer = await fetch(`${api.url}/page/person`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, await answer.text());
  };
  const titles = Array.from({ length: 200 }, (_, n) => `page ${n}`);
  await Promise.all(titles.map(page));
  for (const title of titles) await receiver.expect(({ body }) => body.title === title);
  const other = await t.start({ role: 'worker', env });
  await worker.end('SIGKILL');
  await page('after a worker died');
  await receiver.expect(({ body }) => body.title === 'after a worker died');
  assert.equal((await fetch(`${other.url}/readyz`)).status, 200);
  const client = new Client({ connectionString: t.database.url });
  await client.connect();
  await eventually(() => stateOfLists(client), ALL_LISTS);
  await client.end();
});

it('causes no problem in session mode, if it passes on settings', { timeout: 600_000 }, async () => {
  await t.stop();
  await pooler.stop();
  t = await cluster({ people: webhookPeople(receiver, 'ada') });
  await pool('session');
  const server = await t.start({ env: { DATABASE_URL: throughPooler() } });
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});
