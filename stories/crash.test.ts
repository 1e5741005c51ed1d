import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { freePort } from '../testing/free-port.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';

/** Pages a service that keeps dying until it is stopped; returns the titles of the accepted pages. */
async function pageOnAndOn(t: Cluster, url: () => string, isOver: () => boolean): Promise<string[]> {
  const accepted: string[] = [];
  let number = 0;
  const client = async () => {
    while (!isOver()) {
      const title = `page ${++number}`;
      const body = JSON.stringify({ recipient: 'ada@example.com', title, text: 'x', urgency: 'low' });
      const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url()}/page/person`, { method: 'POST', headers, body }).catch(() => null);
      if (answer?.status === 200 && (await answer.text().catch(() => ''))) accepted.push(title);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return accepted;
}

describe('a process that dies at any moment', () => {
  let receiver: WebhookReceiver;
  let t: Cluster;

  before(async () => {
    receiver = await webhookReceiver();
    t = await cluster({ people: webhookPeople(receiver, 'ada') });
  });
  after(async () => {
    await t.stop();
    await receiver.stop();
  });

  async function everyPageArrived(titles: string[]): Promise<void> {
    const missing = new Set(titles);
    for (const { body } of receiver.received) missing.delete(body.title);
    while (missing.size > 0) {
      const [next] = missing;
      await receiver.expect(({ body }) => body.title === next);
      for (const { body } of receiver.received) missing.delete(body.title);
    }
    receiver.inbox.takeAll();
  }

  it('loses no accepted page, and marks notifications that may have been sent twice', async () => {
    const port = await freePort();
    let server = await t.start({ port });
    let over = false;
    const paging = pageOnAndOn(
      t,
      () => `http://127.0.0.1:${port}`,
      () => over,
    );
    for (let kill = 0; kill < 4; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 150 + 250 * Math.random()));
      await server.end('SIGKILL');
      server = await t.start({ port });
    }
    over = true;
    const accepted = await paging;
    assert.ok(accepted.length > 20, `only ${accepted.length} pages were accepted`);
    await everyPageArrived(accepted);
    const firstSeen = new Set<string>();
    for (const { id, body } of receiver.received) {
      if (firstSeen.has(id)) assert.equal(body.repeat, true, `a repeat of ${body.title} was not marked`);
      firstSeen.add(id);
    }
    await server.end('SIGTERM');
  });

  it('repeats nothing if it is stopped in order', async () => {
    const before = receiver.received.length;
    const port = await freePort();
    let server = await t.start({ port });
    let over = false;
    const paging = pageOnAndOn(
      t,
      () => `http://127.0.0.1:${port}`,
      () => over,
    );
    for (let restart = 0; restart < 2; restart++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.end('SIGTERM');
      assert.equal(server.child.exitCode, 0);
      server = await t.start({ port });
    }
    over = true;
    await everyPageArrived(await paging);
    const received = receiver.received.slice(before).map(({ id }) => id);
    assert.equal(new Set(received).size, received.length);
    await server.end('SIGTERM');
  });

  it('leaves its work to another one within seconds', async () => {
    const api = await t.start({ role: 'api' });
    const workers = await Promise.all([t.start({ role: 'worker' }), t.start({ role: 'worker' })]);
    receiver.always({ status: 204, delayMs: 3_000 });
    const body = JSON.stringify({
      recipient: 'ada@example.com',
      title: 'held by the dead',
      text: 'x',
      urgency: 'low',
    });
    const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}/page/person`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    // Pages whose answer was lost with the server may still arrive; only this one is checked.
    const held = ({ body }: { body: { title: string } }) => body.title === 'held by the dead';
    const first = await receiver.expect(held);
    const holder = await t.db
      .selectFrom('deliveries')
      .innerJoin('nodes', 'nodes.id', 'deliveries.lease_owner')
      .select('nodes.pid')
      .where('deliveries.id', '=', first.id)
      .executeTakeFirstOrThrow();
    await workers.find(({ pid }) => pid === holder.pid)?.end('SIGKILL');
    receiver.always(null);
    const second = await receiver.expect(held);
    assert.equal(second.id, first.id);
    assert.deepEqual([first.body.repeat, second.body.repeat], [false, true]);
    await endAll(api, ...workers);
  });
});

async function endAll(...servers: ServerProcess[]): Promise<void> {
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
}
