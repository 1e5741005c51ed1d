/**
 * An address of the database that leads to a server which has become read-only, as after a failover behind a load
 * balancer.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
let nodes: Cluster;
let operator: Client;

before(async () => {
  database = await testDatabase();
  receiver = await webhookReceiver();
  nodes = await cluster({ people: webhookPeople(receiver, 'ada') }, { LOG_LEVEL: 'silent' }, { database });
  receiver.secret = nodes.acme.webhookSecret;
  operator = new Client({ connectionString: database.url });
  await operator.connect();
});
after(async () => {
  await operator?.end();
  await nodes?.stop();
  await receiver?.stop();
});

const status = async ({ url }: ServerProcess, path: string) => (await fetch(url + path)).status;

function page({ url }: ServerProcess, title: string): Promise<Response> {
  return fetch(`${url}/page/person`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${nodes.acme.key}`,
      'content-type': 'application/json',
      'idempotency-key': title,
    },
    body: JSON.stringify({ recipient: 'ada@example.com', title, text: 'x', urgency: 'low' }),
  });
}

/** Changes what new sessions may do, and ends the existing ones. */
async function setReadOnly(on: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await operator.query('begin read write');
  await operator.query(
    on
      ? `alter database ${name} set default_transaction_read_only = on`
      : `alter database ${name} reset default_transaction_read_only`,
  );
  await operator.query('commit');
  if (on)
    await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'tocsin %'`,
    );
}

it('is left by every role: requests are refused, /readyz fails at once, /healthz soon, and all continues when it accepts writes again', async () => {
  const servers = await Promise.all([nodes.start({ role: 'api' }), nodes.start({ role: 'worker' })]);
  const [api] = servers;
  assert.ok(api);
  assert.equal((await page(api, 'Before')).status, 200);
  await receiver.expect(({ body }) => body.title === 'Before');

  await setReadOnly(true);
  for (const server of servers) await eventually(() => status(server, '/readyz'), 503);
  assert.equal((await page(api, 'Meanwhile')).status, 503);
  for (const server of servers) await eventually(() => status(server, '/healthz'), 503);

  await setReadOnly(false);
  await eventually(async () => (await page(api, 'Meanwhile')).status, 200);
  await receiver.expect(({ body }) => body.title === 'Meanwhile');
  for (const server of servers) {
    await eventually(() => status(server, '/readyz'), 200);
    await eventually(() => status(server, '/healthz'), 200);
  }
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
});

it('is left by connections that were fine when they were opened', async () => {
  const server = await nodes.start({ role: 'all' });
  assert.equal((await page(server, 'Fine')).status, 200);
  // As when a pooler puts a standby behind the same connections, or an operator stops writes; neither breaks a
  // connection.
  await operator.query(
    'create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate $q$25006$q$; end $$',
  );
  await operator.query('create trigger refuse before insert on requests execute function refuse()');
  const sessions = async () => {
    const { rows } = await operator.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database()
         and application_name in ('tocsin paging', 'tocsin api')`,
    );
    return rows.map(({ pid }) => pid);
  };
  const former = new Set(await sessions());
  assert.ok(former.size > 0);
  assert.equal((await page(server, 'Refused')).status, 503);
  await eventually(async () => (await sessions()).filter((pid) => former.has(pid)).length, 0);
  await operator.query('drop trigger refuse on requests');
  await eventually(async () => (await page(server, 'Refused')).status, 200);
  await receiver.expect(({ body }) => body.title === 'Refused');
});
