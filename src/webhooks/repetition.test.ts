import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { forgetRememberedCalls } from './call-store.ts';
import { storedSenderCallId } from './repetition.ts';

describe('a repeated delivery with the same number', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const body = { name: 'Disk full', type: 'alert' };

  async function deliver(path: string, number: string, text: unknown = body): Promise<string> {
    const answer = await server.post(`${path}/custom`, text, { 'webhook-id': number });
    assert.equal(answer.status, 200);
    return answer.json.service_request_id ?? '';
  }

  async function states(webhookId: string): Promise<(string | null)[][]> {
    const rows = await server.db
      .selectFrom('received_notifications')
      .select(['state', 'reason'])
      .where('webhook_id', '=', webhookId)
      .orderBy('id')
      .execute();
    return rows.map(({ state, reason }) => [state, reason]);
  }

  const momentsOf = (webhookId: string) =>
    server.db.selectFrom('moments').select('id').where('webhook_id', '=', webhookId).execute();

  it('is ignored with the reason, in the same batch and later, and its request succeeds', async () => {
    const { id, path } = await server.webhook();
    await deliver(path, 'd-1');
    await deliver(path, 'd-1');
    await deliver(path, 'd-2');
    await server.work();
    const late = await deliver(path, 'd-1');
    await server.work();
    assert.equal((await momentsOf(id)).length, 2);
    const kept = await states(id);
    assert.deepEqual(
      kept.map(([state]) => state),
      ['success', 'ignored', 'success', 'ignored'],
    );
    assert.match(
      kept[1]?.[1] ?? '',
      /^It repeats the call d-1, which was received as notification_\w+ at .*Z\.$/,
    );
    const request = await server.db
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', late)
      .executeTakeFirstOrThrow();
    assert.equal(request.status, 'succeeded');
    assert.match(request.message, /^Ignored: it repeats the call/);
  });

  it('counts only for one webhook', async () => {
    const [one, other] = [await server.webhook(), await server.webhook()];
    await deliver(one.path, 'same');
    await deliver(other.path, 'same');
    await server.work();
    assert.equal((await momentsOf(one.id)).length, 1);
    assert.equal((await momentsOf(other.id)).length, 1);
  });

  it('is read if the first had no result', async () => {
    const { id, path } = await server.webhook();
    await deliver(path, 'd-1', { name: 'no type' });
    await server.work();
    await deliver(path, 'd-1');
    await server.work();
    assert.deepEqual(
      (await states(id)).map(([state]) => state),
      ['error', 'success'],
    );
  });

  it('is recorded once by competing workers', async () => {
    const { id, path } = await server.webhook();
    await Promise.all(Array.from({ length: 40 }, (_, index) => deliver(path, `d-${index % 4}`)));
    await Promise.all(Array.from({ length: 4 }, () => server.work()));
    await server.work();
    assert.equal((await momentsOf(id)).length, 4);
    assert.equal((await states(id)).filter(([state]) => state === 'ignored').length, 36);
  });

  it('is recognized for 48 hours, whether or not old records were deleted', async () => {
    const { id, path } = await server.webhook();
    const count = async () => (await momentsOf(id)).length;
    await deliver(path, 'd-1');
    await server.work();
    server.clock.advance({ hours: 47, minutes: 59 });
    await forgetRememberedCalls(server.db, server.clock, 100);
    await deliver(path, 'd-1');
    await server.work();
    assert.equal(await count(), 1);
    server.clock.advance({ minutes: 2 });
    await deliver(path, 'd-1');
    await server.work();
    assert.equal(await count(), 2);
    server.clock.advance({ hours: 48 });
    assert.ok((await forgetRememberedCalls(server.db, server.clock, 100)) > 0);
    assert.deepEqual(await server.db.selectFrom('webhook_deliveries').selectAll().execute(), []);
  });
});

describe('the number of a delivery', () => {
  it('is stored unchanged if it can be stored', () => {
    assert.equal(storedSenderCallId(' 7f-2 '), '7f-2');
    assert.equal(storedSenderCallId('a\u0000b\ud800'), 'ab\ufffd');
    assert.equal(storedSenderCallId(' \u0000'), null);
    assert.match(storedSenderCallId('x'.repeat(256)) ?? '', /^[0-9a-f]{64}$/);
  });
});
