import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { isDatabaseAway } from './away.ts';
import { divideConnections, FEWEST_CONNECTIONS, MOST_CONNECTIONS } from './budget.ts';
import { endPool } from './connection.ts';
import { createPool, warmPool } from './database.ts';
import { createLanes } from './lanes.ts';

describe('lanes of a pool', () => {
  let database: TestDatabase;
  let pool: Pool;
  const held: PostgresPoolClient[] = [];

  before(async () => {
    database = await testDatabase();
    pool = createPool({ connection: { connectionString: database.url }, max: 5, name: 'lanes' });
  });
  afterEach(() => {
    for (const client of held.splice(0)) client.release();
  });
  after(async () => {
    await endPool(pool);
    await database.drop();
  });

  const lanesOf = (patienceMs = 60_000) =>
    createLanes(pool, {
      loud: { reserved: 1, most: 4, patienceMs },
      calm: { reserved: 1, most: 2, patienceMs },
      rare: { reserved: 1, most: 1, patienceMs },
    });
  type Lanes = ReturnType<typeof lanesOf>;

  async function take(lane: Lanes['loud']): Promise<PostgresPoolClient> {
    const client = await lane.connect();
    held.push(client);
    return client;
  }

  function giveBack(client: PostgresPoolClient, destroy = false): void {
    held.splice(held.indexOf(client), 1);
    client.release(destroy);
  }

  it('keep connections for each other, whatever one of them needs', async () => {
    const { loud, calm, rare } = lanesOf();
    const flood = Array.from({ length: 20 }, () => take(loud));
    await Promise.all(flood.slice(0, 3));
    assert.equal(loud.waiting, 17);
    // All of these would wait for ever if the flood had taken every connection.
    await take(calm);
    await take(rare);
    assert.equal(pool.totalCount, 5);
    await Promise.all(flood.map(async (one) => giveBack(await one)));
    assert.equal(loud.waiting, 0);
    assert.equal(pool.totalCount, 5);
  });

  it('share the rest in the order of arrival', async () => {
    const { loud, calm } = lanesOf();
    const order: string[] = [];
    const [first] = await Promise.all([take(loud), take(loud), take(loud), take(calm)]);
    const waiting = [loud, calm, loud].map((lane, place) =>
      take(lane).then((client) => {
        order.push(`${lane === loud ? 'loud' : 'calm'} ${place}`);
        return client;
      }),
    );
    giveBack(first);
    giveBack(await (waiting[0] as Promise<PostgresPoolClient>));
    giveBack(await (waiting[1] as Promise<PostgresPoolClient>));
    await waiting[2];
    assert.deepEqual(order, ['loud 0', 'calm 1', 'loud 2']);
  });

  it('stop waiting after their patience, as if the database were away', async () => {
    const { rare } = lanesOf(50);
    const client = await take(rare);
    await assert.rejects(take(rare), (error: Error) => {
      assert.equal(
        error.message,
        'timeout exceeded when trying to connect: all connections of the lane rare were in use for 0.05 s',
      );
      return isDatabaseAway(error);
    });
    assert.equal(rare.waiting, 0);
    giveBack(client);
    await take(rare);
  });

  it('replace broken connections, and count those that could not be opened', async () => {
    const { rare } = lanesOf();
    giveBack(await take(rare), true);
    await take(rare);
    const closed = createPool({ connection: { host: '127.0.0.1', port: 1 }, max: 1, name: 'closed' });
    const { only } = createLanes(closed, { only: { reserved: 1, most: 1, patienceMs: 60_000 } });
    for (let times = 0; times < 3; times++) await assert.rejects(only.connect(), { code: 'ECONNREFUSED' });
    await endPool(closed);
  });

  it('are warmed up while they are in use', async () => {
    const { loud } = lanesOf();
    await Promise.all([take(loud), take(loud), take(loud)]);
    await warmPool(pool);
    assert.equal(pool.totalCount, 5);
  });
});

describe('the budget of connections', () => {
  it('is not exceeded, and leaves at least one connection for everything', () => {
    assert.deepEqual(divideConnections(12, false).api + divideConnections(12, false).paging.size, 10);
    for (let total = FEWEST_CONNECTIONS; total <= MOST_CONNECTIONS; total++)
      for (const hasLifeboat of [false, true]) {
        const { api, paging } = divideConnections(total, hasLifeboat);
        const lanes = Object.values(paging.lanes);
        const reserved = lanes.reduce((sum, lane) => sum + lane.reserved, 0);
        assert.equal(api + paging.size + 2 + (hasLifeboat ? 2 : 0), total);
        assert.ok(api >= 3 && reserved <= paging.size, JSON.stringify({ total, hasLifeboat, api, paging }));
        for (const { reserved, most } of lanes)
          assert.ok(reserved >= 1 && most >= reserved && most < paging.size);
      }
  });
});
