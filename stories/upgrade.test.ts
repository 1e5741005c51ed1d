/** An upgrade of a large installation: long migrations run while pages are sent, whichever process dies meanwhile. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { ALL_LISTS, stateOfLists, takeBackLists } from '../testing/before-lists.ts';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { testDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { PATIENCE_MS } from '../testing/patience.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';

let receiver: WebhookReceiver;
let t: Cluster;
let console: CommandLine;
let watcher: Client;
/** A transaction that index builds have to wait for, so that the build takes long on any machine. */
let holder: Client;

before(async () => {
  receiver = await webhookReceiver();
  const database = await testDatabase();
  await takeBackLists(database);
  t = await cluster({ people: webhookPeople(receiver, 'ada') }, {}, { database });
  receiver.secret = t.acme.webhookSecret;
  console = commandLine(database.url);
  watcher = new Client({ connectionString: database.url });
  holder = new Client({ connectionString: database.url });
  await watcher.connect();
  await holder.connect();
  await holder.query('begin isolation level repeatable read; select from teams');
});
after(async () => {
  await watcher.end();
  await holder.end();
  console.remove();
  await t.stop();
  await receiver.stop();
});

/** Accepted, sent, and recorded as sent: a process that dies now causes no repeat. */
async function page(server: ServerProcess, title: string): Promise<void> {
  const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ recipient: 'ada@example.com', title, text: 'x' });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`${server.url}/page/person`, { method: 'POST', headers, body, signal });
  assert.equal(answer.status, 200, await answer.text());
  await receiver.expect((webhook) => webhook.body.title === title);
  const unsent = async () =>
    (await watcher.query(`select from deliveries where state in ('waiting', 'sending', 'retrying')`))
      .rowCount;
  await eventually(unsent, 0);
}

/** The process id of the session that builds an index and waits for the holder. */
async function building(): Promise<number | null> {
  const { rows } = await watcher.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'tocsin migrate while serving'
      and datname = current_database() and wait_event_type = 'Lock' and query ilike 'create index%'`,
  );
  return rows[0]?.pid ?? null;
}

async function schema(server: ServerProcess): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/readyz`);
  assert.equal(answer.status, 200);
  const { checks } = (await answer.json()) as { checks: Record<string, { message: string }> };
  return checks.schema?.message;
}

const SLOW = 'still running in the background: 0175_lists.sql; until then lists may be slow';

it('accepts and sends pages while indexes are built, starts again after a crash, and ends', {
  timeout: 600_000,
}, async () => {
  const first = await t.start({});
  await eventually(async () => (await building()) !== null, true);
  await page(first, 'while it is built');
  assert.equal(await schema(first), SLOW);
  const { stdout } = await console.run(['doctor']);
  assert.match(
    stdout,
    /! {3}database: 0175_lists\.sql is not applied yet: lists may be slow\n {6}→ leave a server running/,
  );

  const killed = await building();
  await first.end('SIGKILL');
  await eventually(building, null);
  assert.deepEqual(await stateOfLists(watcher), { pages_newest: 'good', pages_team: 'unfinished' });

  const second = await t.start({});
  await eventually(async () => ![null, killed].includes(await building()), true);
  await page(second, 'while it is built anew');
  await second.end('SIGTERM');
  assert.equal(second.child.exitCode, 0);

  const third = await t.start({});
  await holder.query('commit');
  await eventually(() => stateOfLists(watcher), ALL_LISTS);
  await eventually(() => schema(third), 'complete');
  await page(third, 'when all is built');
});
