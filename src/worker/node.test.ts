import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { type TcpProxy, tcpProxy } from '../../testing/tcp-proxy.ts';
import { databaseClock } from '../db/clock.ts';
import { endPool } from '../db/connection.ts';
import { createDatabase, createPool, type PoolSettings } from '../db/database.ts';
import { createPrimary, type Primary } from '../db/primary.ts';
import { createLog } from '../kit/log.ts';
import { type Node, startNode } from './node.ts';
import { nodeIsGone } from './store.ts';

describe('a node whose connection to the database fails', () => {
  let database: TestDatabase;
  let network: TcpProxy;
  let url: string;
  const nodes: Node[] = [];

  before(async () => {
    database = await testDatabase();
    const direct = new URL(database.url);
    network = await tcpProxy({ host: '127.0.0.1', port: Number(direct.port) });
    direct.port = String(network.port);
    url = direct.href;
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await network.stop();
    await database.drop();
  });

  function pool(connectionString: string, limits: Pick<PoolSettings, 'statementTimeoutMs' | 'primary'> = {}) {
    return createPool({ connection: { connectionString }, max: 2, name: 'test', keepIdle: true, ...limits });
  }

  async function aNode(withPrimary?: (primary: Primary) => unknown): Promise<Node> {
    const log = createLog('silent');
    const ignore = () => undefined;
    const silent = {
      ...{ onHint: ignore, onConfirmed: ignore, onHeard: ignore, onChanged: ignore },
      onProviders: ignore,
    };
    const direct = pool(database.url);
    const db = createDatabase(direct);
    const connection = { connectionString: url };
    const primary = createPrimary({ connection, log, onArrival: async () => undefined });
    withPrimary?.(primary);
    const node = await startNode(connection, {
      db,
      clock: databaseClock,
      log,
      role: 'worker',
      publicUrl: null,
      primary,
      ...silent,
    });
    const stop = () => node.stop().then(() => endPool(direct));
    nodes.push({ ...node, id: 0, stop: () => stop().then(() => primary.stop()) });
    return node;
  }

  const isGone = (id: number) => {
    const direct = pool(database.url);
    return createDatabase(direct)
      .transaction()
      .execute((tx) => nodeIsGone(tx, id))
      .finally(() => endPool(direct));
  };

  it('takes its number again after the connection was reset, and leaves others time for the same', async () => {
    const node = await aNode();
    const { id } = node;
    assert.equal(await isGone(id), false);
    network.set('refused');
    await eventually(async () => node.id, 0);
    await eventually(() => isGone(id), true);
    network.set('open');
    await eventually(async () => node.id, id);
    assert.equal(node.mayTakeOver(), false);
    assert.equal(await isGone(id), false);
    await eventually(async () => node.mayTakeOver(), true);
  });

  it('notices a dead connection by itself, and continues under another number', async () => {
    const node = await aNode();
    const { id } = node;
    network.forgetConnections();
    await eventually(async () => node.id !== id && node.id !== 0, true);
    // The database still considers the old connection alive, so its work is left to the lease.
    assert.equal(await isGone(id), false);
    assert.equal(await isGone(node.id), false);
  });

  it('closes the other idle connections then, which would each wait for their own time limit', async () => {
    const pools: Pool[] = [];
    const node = await aNode((primary) => pools.push(pool(url, { primary })));
    const { id } = node;
    const [idle] = pools;
    assert.ok(idle);
    await idle.query('select 1');
    network.forgetConnections();
    await eventually(async () => node.id !== id && node.id !== 0, true);
    assert.equal((await idle.query('select 2')).rowCount, 1);
    await endPool(idle);
  });

  it('ends within seconds while nothing answers', async () => {
    const node = await aNode();
    network.set('silent');
    const began = performance.now();
    await node.stop();
    assert.ok(performance.now() - began < PATIENCE_MS);
    network.set('open');
  });

  it('does not reuse a connection on which an answer never arrived', async () => {
    const through = pool(url, { statementTimeoutMs: 200 });
    await through.query('select 1');
    network.forgetConnections();
    await assert.rejects(through.query('select 2'), /read timeout/);
    await eventually(async () => (await through.query('select 3')).rowCount, 1);
    await endPool(through);
  });

  it('ends a pool whose connections do not answer', async () => {
    const through = pool(url);
    await through.query('select 1');
    network.forgetConnections();
    const began = performance.now();
    await endPool(through);
    assert.ok(performance.now() - began < PATIENCE_MS);
    assert.equal(through.totalCount, 0);
  });
});
