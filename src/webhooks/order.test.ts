import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { newId } from '../kit/typeid.ts';
import {
  type ClaimedCall,
  earlierCalls,
  insertQueued,
  lockClaimed,
  readCalls,
  releaseCalls,
} from './call-store.ts';
import { inOrderOfReceipt } from './order.ts';
import type { ReadCall } from './record.ts';

const at = (second: number) => Temporal.Instant.fromEpochMilliseconds(second * 1_000);

/** A call that was received at this second, with events for these keys. */
function read(second: number, action: 'open' | 'resolve', ...keys: (string | null)[]): ReadCall {
  const events = keys.map((dedupKey) => ({ dedupKey, action }));
  const call = { id: `notification_${second}`, webhookId: 'webhook_1', receivedAt: at(second) };
  return { call, result: { events }, senderCallId: null } as unknown as ReadCall;
}

const seconds = (calls: readonly ReadCall[]) =>
  calls.map(({ call }) => call.receivedAt.epochMilliseconds / 1_000);

describe('calls to record', () => {
  it('come after the earlier ones of the same key, and after their predecessors in turn', () => {
    const earlier = [
      read(1, 'open', 'b'),
      read(2, 'open', 'a', 'b'),
      read(3, 'open', 'b'),
      read(4, 'open', 'c'),
    ];
    const order = inOrderOfReceipt([read(5, 'open', 'a'), read(6, 'open', 'd')], earlier);
    assert.deepEqual(seconds(order.calls), [1, 2, 5, 6]);
    assert.deepEqual([...order.taken].sort(), ['notification_1', 'notification_2']);
    assert.deepEqual([...order.unrelated].sort(), ['notification_3', 'notification_4']);
  });

  it('leave calls without a key, and those of another webhook, to the worker that has them', () => {
    const other = read(1, 'open', 'a');
    const earlier = [read(2, 'open', null), { ...other, call: { ...other.call, webhookId: 'webhook_2' } }];
    const order = inOrderOfReceipt([read(5, 'open', 'a', null)], earlier);
    assert.deepEqual(seconds(order.calls), [5]);
  });

  it('name the ends after which a trigger of the same key follows', () => {
    const mine = [
      read(1, 'resolve', 'a'),
      read(2, 'open', 'a'),
      read(3, 'resolve', 'a'),
      read(4, 'resolve', 'b'),
    ];
    assert.deepEqual([...inOrderOfReceipt(mine, []).followed], ['notification_1']);
  });
});

describe('earlier calls of a webhook', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());
  afterEach(() => server.db.deleteFrom('received_notifications').execute());

  /** Queues calls of a new webhook, a millisecond apart, and returns them in the order of their receipt. */
  async function queue(bodies: readonly Buffer[]): Promise<ClaimedCall[]> {
    const { db, clock, acme } = server;
    const { id: webhookId } = await server.webhook();
    const begun = await clock.now(db);
    const call = { organizationId: acme.id, webhookId, integration: 'custom', headers: {} };
    const ids = bodies.map(() => newId('notification'));
    await db.transaction().execute(async (tx) => {
      for (const [index, body] of bodies.entries())
        await insertQueued(tx, begun.add({ milliseconds: index }), { ...call, id: ids[index] ?? '', body });
    });
    return readCalls(db, ids);
  }

  const find = (...claimed: ClaimedCall[]) =>
    server.db.transaction().execute((tx) => earlierCalls(tx, claimed));
  const small = (count: number) => Array.from({ length: count }, () => Buffer.from('{}'));
  const idsOf = (calls: readonly ClaimedCall[]) => calls.map(({ id }) => id).sort();

  it('were received before, and are neither processed nor tried twice', async () => {
    const [processed, failed, claimed, waiting, mine, later] = await queue(small(6));
    assert.ok(processed && failed && claimed && waiting && mine && later);
    const change = (call: ClaimedCall) =>
      server.db.updateTable('received_notifications').where('id', '=', call.id);
    await change(processed).set({ state: 'success', processed_at: mine.receivedAt }).execute();
    await change(failed).set({ attempts: 2 }).execute();
    await change(claimed).set({ attempts: 1 }).execute();
    assert.deepEqual(idsOf(await find(mine)), idsOf([claimed, waiting]));
    assert.deepEqual(idsOf(await find(mine, waiting)), idsOf([claimed]));
  });

  it('are at most the last 500', async () => {
    const calls = await queue(small(502));
    assert.deepEqual(idsOf(await find(...calls.slice(-1))), idsOf(calls.slice(1, -1)));
    assert.equal((await find(...calls.slice(-2, -1))).length, 500);
    assert.equal((await find(...calls.slice(-3, -2))).length, 499);
  });

  it('are at most 500 of all webhooks together, first those of webhooks with few claimed calls', async () => {
    const [loud, quiet] = [await queue(small(503)), await queue(small(2))];
    const found = await find(...loud.slice(-2), ...quiet.slice(-1));
    assert.equal(found.length, 500);
    assert.ok(found.some(({ id }) => id === quiet[0]?.id));
  });

  it('have at most 4 MiB together', async () => {
    const large = Buffer.alloc(1_024 * 1_024, ' ');
    const calls = await queue([large, large, large, large, large, large]);
    assert.deepEqual(idsOf(await find(...calls.slice(-1))), idsOf(calls.slice(1, -1)));
  });

  it('of a dead node are released, except those that another worker is recording', async () => {
    const { db, clock } = server;
    const [taken, other] = await queue(small(2));
    assert.ok(taken && other);
    await db.updateTable('received_notifications').set({ pages: true, claimed_by: 7 }).execute();
    const release = () => db.transaction().execute((tx) => releaseCalls(tx, clock, 7));
    await db.transaction().execute(async (recording) => {
      const locked = await lockClaimed(recording, [{ id: taken.id, attempts: null }]);
      assert.deepEqual([...locked], [taken.id]);
      assert.equal(await release(), 1);
    });
    assert.equal(await release(), 1, 'what was not recorded is released later');
    assert.equal(await release(), 0);
  });
});
