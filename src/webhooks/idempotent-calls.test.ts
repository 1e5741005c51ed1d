import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';

describe('an idempotency key', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const moment = { name: 'x', type: 'alert' };
  const key = { 'idempotency-key': 'deploy-17' };

  async function received(webhookId: string): Promise<number> {
    const rows = await server.db
      .selectFrom('received_notifications')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .execute();
    return rows.length;
  }

  it('makes one moment of many simultaneous calls, each with the same answer', async () => {
    const { path, id } = await server.webhook();
    const wakes = server.wakes();
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.post(path, moment, key)));
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.json))).size, 1);
    assert.equal(answers[0]?.status, 200);
    assert.equal(await received(id), 1);
    assert.equal(server.wakes(), wakes + 1, 'nobody is woken for nothing');
    await server.work();
    assert.equal((await server.moments(answers[0]?.json.service_request_id)).length, 1);
  });

  it('belongs to one body: different formatting does not matter, but different content is a conflict', async () => {
    const { path } = await server.webhook();
    const first = await server.post(path, moment, key);
    const reordered = await server.post(path, '{ "type": "ALERT", "name": "x", "source": null }', key);
    assert.deepEqual(reordered.json, first.json);
    const other = await server.post(path, { ...moment, name: 'y' }, key);
    assert.equal(other.status, 409);
    assert.equal(other.json.error, 'Conflict');
    assert.equal((await server.post(path, { ...moment, name: '' }, key)).status, 400);
  });

  it('belongs to its webhook and to its API key', async () => {
    const [one, other] = [await server.webhook(), await server.webhook()];
    const authorization = `Bearer ${await server.apiKey()}`;
    const answers = [
      await server.post(one.path, moment, key),
      await server.post(other.path, moment, key),
      await server.post(one.path, moment, { ...key, authorization }),
    ];
    assert.equal(new Set(answers.map(({ json }) => json.service_request_id)).size, 3);
    const elsewhere = await server.post(other.path, moment, { ...key, authorization });
    assert.equal(elsewhere.status, 409, 'the same key for another webhook is another request');
  });

  it('works for any raw body', async () => {
    const { path, id } = await server.webhook({ type: 'alertmanager' });
    const first = await server.post(path, 'junk', key);
    assert.deepEqual((await server.post(path, 'junk', key)).json, first.json);
    assert.equal((await server.post(path, 'junk ', key)).status, 409);
    assert.equal(await received(id), 1);
  });

  it('is forgotten after a day', async () => {
    const { path } = await server.webhook();
    const first = await server.post(path, moment, key);
    server.clock.advance({ hours: 24, seconds: 1 });
    const second = await server.post(path, moment, key);
    assert.notEqual(second.json.service_request_id, first.json.service_request_id);
  });

  it('prevents duplicates; without one, the same call twice makes two moments', async () => {
    const { path, id } = await server.webhook();
    await Promise.all([server.post(path, moment), server.post(path, moment)]);
    assert.equal(await received(id), 2);
  });

  it('of an impossible length is refused', async () => {
    const { path } = await server.webhook();
    const answer = await server.post(path, moment, { 'idempotency-key': 'k'.repeat(256) });
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.json.details?.map(({ field }) => field),
      ['Idempotency-Key'],
    );
    const worse = await server.post(path, { ...moment, name: '' }, { 'idempotency-key': 'k'.repeat(256) });
    assert.deepEqual(
      worse.json.details?.map(({ field }) => field),
      ['name', 'Idempotency-Key'],
    );
  });
});
