import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { createByteBudgets } from './byte-budget.ts';
import { requeueFailed } from './call-store.ts';

const KIB = 1_024;

describe('the stored part of webhook calls', () => {
  let server: MomentServer;
  let low = false;
  const bounds = (kib: number) =>
    createByteBudgets({
      webhook: { atOnce: kib * KIB, anHour: 1 },
      total: { atOnce: 2 * kib * KIB, anHour: 1 },
    });

  before(async () => {
    server = await startMomentServer({ isLow: () => low, refusedBytes: bounds(64), keptBytes: bounds(600) });
  });
  beforeEach(() => {
    low = false;
  });
  after(() => server.close());

  const received = async (webhookId: string) =>
    (
      await server.db
        .selectFrom('received_notifications')
        .select(['state', 'body', 'body_bytes', 'headers'])
        .where('webhook_id', '=', webhookId)
        .orderBy('id')
        .execute()
    ).map(({ body, ...row }) => ({ ...row, kept: body.length }));
  const moment = (bytes: number) => ({
    name: 'Disk full',
    type: 'incident',
    occurred_at: '2026-11-20T03:04:05Z',
    description: 'x'.repeat(bytes),
  });
  const retryAll = (webhookId: string) =>
    server.db.transaction().execute(async (tx) => {
      const at = await server.clock.now(tx);
      await requeueFailed(tx, at, server.acme.id, { memberId: null });
      await requeueFailed(tx, at, server.acme.id, { webhookId });
      const queued = await tx
        .selectFrom('received_notifications')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('state', '=', 'queued')
        .execute();
      return queued.length;
    });

  it('is 4 KiB of a refused one, which cannot be processed again', async () => {
    const webhook = await server.webhook();
    const answer = await server.post(webhook.path, `{"name": "${'ü'.repeat(50 * KIB)}`);
    assert.equal(answer.status, 400);
    const [call] = await received(webhook.id);
    assert.equal(call?.kept, 4 * KIB);
    assert.equal(call?.body_bytes, 100 * KIB + 10);
    assert.equal(await retryAll(webhook.id), 0);
  });

  it('is 4 KiB of the headers of a refused one', async () => {
    const webhook = await server.webhook();
    await server.post(webhook.path, 'nonsense', { 'x-one': 'a'.repeat(3_000), 'x-two': 'b'.repeat(3_000) });
    const [call] = await received(webhook.id);
    assert.ok(JSON.stringify(call?.headers).length < 5 * KIB);
  });

  it('ends for refused calls when the webhook has used up its bytes, but not for other webhooks', async () => {
    const webhook = await server.webhook();
    for (let call = 0; call < 30; call++)
      assert.equal((await server.post(webhook.path, 'x'.repeat(10 * KIB))).status, 400);
    // 64 KiB, of which each call takes 4 KiB and a row.
    assert.equal((await received(webhook.id)).length, 10);
    const other = await server.webhook();
    await server.post(other.path, 'nonsense');
    assert.equal((await received(other.id)).length, 1);
  });

  it('is a recorded one as a whole, within the bytes of its webhook, and then only its moment', async () => {
    const webhook = await server.webhook();
    for (let call = 0; call < 9; call++) {
      const { status, json } = await server.post(webhook.path, moment(90 * KIB));
      assert.equal(status, 200, JSON.stringify(json));
      await server.work();
    }
    const calls = await received(webhook.id);
    assert.deepEqual(
      calls.map(({ state }) => state),
      Array(9).fill('success'),
    );
    assert.equal(calls.filter(({ kept }) => kept > 0).length, 6);
    assert.ok(
      calls.every(({ kept, body_bytes: bytes }) => (kept > 0 ? bytes === null : Number(bytes) > 90 * KIB)),
    );
    const moments = await server.db
      .selectFrom('moments')
      .select('id')
      .where('webhook_id', '=', webhook.id)
      .execute();
    assert.ok(moments.length > 0);
  });

  it('is nothing if the disk is nearly full, but moments are still recorded', async () => {
    const webhook = await server.webhook();
    low = true;
    const { status } = await server.post(webhook.path, moment(10));
    assert.equal(status, 200);
    await server.work();
    await server.post(webhook.path, 'nonsense');
    const calls = await received(webhook.id);
    assert.deepEqual(
      calls.map(({ state, kept }) => [state, kept]),
      [
        ['success', 0],
        ['error', 0],
      ],
    );
    assert.equal(calls[1]?.body_bytes, 8);
    assert.equal(await retryAll(webhook.id), 0);
    const moments = await server.db
      .selectFrom('moments')
      .select('name')
      .where('webhook_id', '=', webhook.id)
      .execute();
    assert.deepEqual(moments, [{ name: 'Disk full' }]);
  });
});
