import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';

let receiver: WebhookReceiver;
let nodes: Cluster;

before(async () => {
  receiver = await webhookReceiver();
  nodes = await cluster({ people: webhookPeople(receiver, 'ada') });
  receiver.secret = nodes.acme.webhookSecret;
});
after(async () => {
  await nodes?.stop();
  await receiver?.stop();
});

async function page(url: string, title: string): Promise<void> {
  const answer = await fetch(`${url}/page/person`, {
    method: 'POST',
    headers: { authorization: `Bearer ${nodes.acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: 'ada@example.com', title, text: 'x', urgency: 'low' }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

it('links in messages of a worker lead to the process that answers requests, and acknowledge there', async () => {
  // The worker starts first, when no node has published an address yet.
  const worker = await nodes.start({ role: 'worker' });
  const api = await nodes.start({ role: 'api' });
  let number = 0;
  const linkAfterNextPage = async () => {
    const title = `Page ${++number}`;
    await page(api.url, title);
    const { body } = await receiver.expect((webhook) => webhook.body.title === title);
    return new URL(body.acknowledge_url);
  };
  await eventually(async () => (await linkAfterNextPage()).origin, api.url);
  const link = await linkAfterNextPage();
  assert.notEqual(link.origin, worker.url);
  assert.equal((await fetch(link)).status, 200);
  const acknowledged = await fetch(link, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(acknowledged.status, 200, await acknowledged.text());

  // An address set only for the API processes applies to all nodes.
  const elsewhere = 'https://tocsin.example.com';
  const told = await nodes.start({ role: 'api', env: { PUBLIC_URL: elsewhere } });
  await api.end('SIGTERM');
  const originAfterNext = async () => {
    const title = `Page ${++number}`;
    await page(told.url, title);
    const { body } = await receiver.expect((webhook) => webhook.body.title === title);
    return new URL(body.page_url).origin;
  };
  await eventually(originAfterNext, elsewhere);
});
