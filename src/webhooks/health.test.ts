import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { openProblems } from '../problems/store.ts';

describe('a webhook with failing calls', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const good = { name: 'Disk full', type: 'alert' };
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

  async function problems() {
    await server.work();
    await server.health.flush();
    return openProblems(server.db, server.acme.id);
  }
  const codes = async () => (await problems()).map(({ code, count }) => [code, count]);

  it('has a problem if three of the last four calls were refused or unreadable, until two of them work', async () => {
    const { id, path } = await server.webhook({ name: 'Probes' });
    await server.post(path, { name: 'no type' });
    await server.post(`${path}/custom`, 'junk');
    assert.deepEqual(await problems(), [], 'two calls are too few');
    await server.post(path, good);
    await server.post(`${path}/custom`, 'junk');
    const [problem, ...others] = await problems();
    assert.deepEqual(others, []);
    assert.deepEqual([problem?.subject, problem?.code, problem?.count], [`webhook:${id}`, 'calls', 1]);
    assert.deepEqual([problem?.webhook?.name, problem?.webhook?.team.slug], ['Probes', 'team']);
    assert.match(problem?.message ?? '', /body is not valid JSON/);
    assert.match(problem?.fix ?? '', /Open the received calls/);
    assert.equal(problem?.lastAddress, null, 'the call itself is kept');
    await server.post(`${path}/custom`, 'junk');
    assert.deepEqual(await codes(), [['calls', 2]]);
    await server.post(path, good);
    assert.deepEqual(await codes(), [], 'half of them work');
    await server.post(path, 'junk');
    assert.deepEqual(await codes(), [['calls', 1]]);
    await server.post(path, good);
    assert.deepEqual(await codes(), [], 'half of them work');
  });

  it('has a problem as soon as calls are not signed, until one is', async () => {
    const { path } = await server.webhook({ signingSecret: secret });
    await server.post(path, good);
    await server.post(path, good);
    assert.deepEqual(await codes(), [['signature', 2]]);
    const authorization = `Bearer ${await server.apiKey()}`;
    await server.post(path, good, { authorization });
    assert.deepEqual(await codes(), [['signature', 2]], 'a call with a key says nothing about the sender');
    const at = await server.clock.now(server.db);
    const date = new Date(at.epochMilliseconds);
    const text = JSON.stringify(good);
    const answer = await server.post(path, text, {
      'webhook-id': 'm',
      'webhook-timestamp': String(Math.floor(at.epochMilliseconds / 1_000)),
      'webhook-signature': new StandardWebhook(secret).sign('m', date, text),
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(await codes(), []);
  });

  it('causes no problem for others', async () => {
    const { path } = await server.webhook({ signingSecret: secret });
    await server.post(path, good);
    assert.equal((await problems()).length, 1);
    const globex = await server.organization('Globex');
    assert.deepEqual(await openProblems(server.db, globex.id), []);
  });
});
