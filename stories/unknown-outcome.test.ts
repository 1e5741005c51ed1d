import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';
import { type TcpProxy, tcpProxy } from '../testing/tcp-proxy.ts';

let database: TestDatabase;
let network: TcpProxy;
let receiver: WebhookReceiver;
let nodes: Cluster;
let operator: Client;
/**
 * A connection apart from the operator's: inside a transaction, pg_stat_activity does not list connections opened after
 * its first read.
 */
let watcher: Client;

before(async () => {
  database = await testDatabase();
  network = await tcpProxy({ host: '127.0.0.1', port: Number(new URL(database.url).port) });
  receiver = await webhookReceiver();
  nodes = await cluster({ people: webhookPeople(receiver, 'ada') }, {}, { database });
  receiver.secret = nodes.acme.webhookSecret;
  operator = new Client({ connectionString: database.url });
  await operator.connect();
  watcher = new Client({ connectionString: database.url });
  await watcher.connect();
});
after(async () => {
  await operator?.end();
  await watcher?.end();
  await nodes?.stop();
  await network?.stop();
  await receiver?.stop();
});

async function count(statement: string): Promise<number> {
  const { rows } = await watcher.query<{ n: number }>(`select count(*)::integer as n from ${statement}`);
  return rows[0]?.n ?? -1;
}

/** Sends a page whose commit waits for the lock. Connections broken by an earlier fault may refuse it a few times. */
async function untilItWaits(send: () => Promise<Response>): Promise<() => Promise<Response>> {
  // The outcome of an earlier notification may wait for the same lock. PostgreSQL shows the first 1,024 bytes of a
  // statement.
  const waits = `pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into idempotency_keys%'`;
  const refused: number[] = [];
  let answer: Promise<Response> | null = null;
  const sendAgain = () => {
    const sent = send();
    answer = sent;
    sent.then(({ status }) => {
      refused.push(status);
      answer = null;
    });
    return sent;
  };
  let last = sendAgain();
  await eventually(async () => {
    if (!answer) last = sendAgain();
    return [await count(waits), refused.filter((status) => status !== 503)];
  }, [1, []]);
  return () => last;
}

it('a page whose commit was not answered may have been stored: the answer states that, and its key makes it one page', async () => {
  const proxied = new URL(database.url);
  proxied.port = String(network.port);
  const server = await nodes.start({ env: { DATABASE_URL: proxied.href, LOG_LEVEL: 'silent' } });
  const page = (title: string, key: string | null) =>
    fetch(`${server.url}/page/person`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${nodes.acme.key}`,
        'content-type': 'application/json',
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify({ recipient: 'ada@example.com', title, text: 'x', urgency: 'low' }),
    });
  /** Sends a page whose commit succeeds, but whose answer never reaches the node. */
  const cutOff = async (title: string, key: string | null) => {
    await operator.query('begin; lock table requests in share row exclusive mode');
    const answer = await untilItWaits(() => page(title, key));
    network.set('silent');
    await operator.query('commit');
    await eventually(() => count(`pages where title = '${title}'`), 1);
    network.set('refused');
    const refused = await answer();
    network.set('open');
    assert.equal(refused.status, 503);
    assert.ok(refused.headers.get('retry-after'));
    const { details } = (await refused.json()) as { details: { message: string }[] };
    return details[0]?.message ?? '';
  };
  const again = async (title: string, key: string) => {
    let answer = await page(title, key);
    for (let tries = 0; answer.status === 503 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await page(title, key);
    }
    assert.equal(answer.status, 200);
  };

  assert.equal((await page('Before', 'before')).status, 200);
  assert.match(
    await cutOff('Cut off', 'cut off'),
    /may have been stored; send it again with the same Idempotency-Key/,
  );
  await again('Cut off', 'cut off');
  assert.equal(await count(`pages where title = 'Cut off'`), 1);
  await receiver.expect(({ body }) => body.title === 'Cut off');

  assert.match(await cutOff('Without a key', null), /may have been stored; check before you send it again/);
});
