/** On SIGTERM, load balancers notice before any request is refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../testing/eventually.ts';
import { type WebhookReceiver, webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { webhookPeople } from '../testing/story.ts';
import { within } from '../testing/within.ts';

describe('SIGTERM', () => {
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

  const status = async (server: ServerProcess, path: string) => (await fetch(server.url + path)).status;
  const page = (server: ServerProcess, title: string) =>
    fetch(`${server.url}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ recipient: 'ada@example.com', title, text: 'x', urgency: 'high' }),
    });
  const ended = (server: ServerProcess) => within(once(server.child, 'exit'), 'the end of the service');

  it('fails /readyz at once, while pages are accepted and sent; Ctrl-C ends the wait', async () => {
    const server = await t.start({ env: { DRAIN_SECONDS: '300' } });
    assert.equal(await status(server, '/readyz'), 200);
    // Sent twice, as when a whole process group is signalled.
    server.child.kill('SIGTERM');
    server.child.kill('SIGTERM');
    await eventually(() => status(server, '/readyz'), 503);
    const { checks } = (await (await fetch(`${server.url}/readyz`)).json()) as {
      checks: { process: { ok: boolean; message: string } };
    };
    assert.deepEqual(checks.process, { ok: false, message: 'stops soon; requests are still answered' });
    assert.equal(await status(server, '/healthz'), 200, 'nobody should kill a process that drains');

    assert.equal((await page(server, 'Late page')).status, 200);
    await receiver.expect(({ body }) => body.title === 'Late page');

    const end = ended(server);
    server.child.kill('SIGINT');
    assert.deepEqual(await end, [0, null]);
    await assert.rejects(fetch(`${server.url}/readyz`));
  });

  it('closes the listeners after DRAIN_SECONDS', async () => {
    const server = await t.start({ env: { DRAIN_SECONDS: '1' } });
    const end = ended(server);
    server.child.kill('SIGTERM');
    assert.deepEqual(await end, [0, null]);
  });

  it('does not wait if a person ends the service', async () => {
    const server = await t.start({ env: { DRAIN_SECONDS: '300' } });
    const end = ended(server);
    server.child.kill('SIGINT');
    assert.deepEqual(await end, [0, null]);
  });
});
