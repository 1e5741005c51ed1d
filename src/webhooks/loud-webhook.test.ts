/** Several workers record the calls of one webhook at the same time. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../testing/eventually.ts';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { createRotation } from '../db/turns.ts';
import { claimCalls } from './call-store.ts';
import { processCalls } from './process.ts';
import { readCall, recordCalls } from './record.ts';

describe('one busy webhook', () => {
  let server: MomentServer;
  let hook: { id: string; path: string };

  before(async () => {
    server = await startMomentServer();
    hook = await server.webhook();
  });
  after(() => server.close());

  async function call(dedupKey: string, state = 'open'): Promise<void> {
    const { status, json } = await server.post(hook.path, {
      ...{ name: `about ${dedupKey}`, type: 'alert', dedup_key: dedupKey, state },
    });
    assert.equal(status, 200, JSON.stringify(json));
  }

  /** Claims queued calls, records them, and runs `meanwhile` before the transaction ends. */
  async function recording(meanwhile: () => Promise<void>): Promise<void> {
    const which = {
      pages: false,
      tried: 'never',
      limit: 1_000,
      maxBytes: 10_000_000,
      leaseMs: 30_000,
    } as const;
    const claimed = await server.db
      .transaction()
      .execute(async (tx) =>
        claimCalls(tx, await server.clock.now(tx), { ...which, node: null, rotation: createRotation() }),
      );
    assert.ok(claimed.length > 0);
    await server.db.transaction().execute(async (tx) => {
      const read = claimed.map((one) => readCall(one, server.paging));
      await recordCalls(tx, await server.clock.now(tx), read, server);
      await meanwhile();
    });
  }

  /** The number of transactions that wait for an advisory lock. */
  async function waiting(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(server.db);
    return rows[0]?.n ?? -1;
  }

  const openOf = async (dedupKey: string) =>
    (
      await sql`select from moments where webhook_id = ${hook.id} and dedup_key = ${dedupKey} and state = 'open'`.execute(
        server.db,
      )
    ).rows.length;

  it('has its calls recorded by another worker while one worker records calls of other keys', async () => {
    await call('a');
    await recording(async () => {
      await call('b');
      assert.equal(await server.work(), 1);
      assert.equal(await openOf('b'), 1);
      assert.equal(await openOf('a'), 0, 'the first worker is not done');
    });
    assert.equal(await openOf('a'), 1);
  });

  it('has calls of the same key recorded by one worker at a time', async () => {
    await call('same');
    let second: Promise<number> | undefined;
    await recording(async () => {
      await call('same');
      second = server.work();
      await eventually(waiting, 1);
    });
    assert.equal(await second, 1);
    assert.equal(await openOf('same'), 1);
  });

  it('is recorded by one worker if a transaction has more keys than the database has locks for', async () => {
    for (let key = 0; key < 201; key++) await call(`many ${key}`);
    let second: Promise<number> | undefined;
    await recording(async () => {
      await call('one more');
      second = server.work();
      await eventually(waiting, 1);
    });
    assert.equal(await second, 1);
    assert.equal(await openOf('one more'), 1);
  });

  it('has its calls spread over the workers, and each key ends as its sender reported last', async () => {
    const [keys, times, workers] = [20, 15, 3];
    const sequence = ['open', 'resolved'];
    // Each key has its own sender, which waits for its answer.
    const sendAll = async (key: number) => {
      for (let time = 0; time < times + (key % 3); time++) await call(`key ${key}`, sequence[time % 2]);
    };
    await Promise.all(Array.from({ length: keys }, (_, key) => sendAll(key)));
    const { rows: queued } = await sql`select from received_notifications where state = 'queued'`.execute(
      server.db,
    );
    const claims = Array.from({ length: workers }, () => 0);
    const work = async (worker: number) => {
      const own = { ...server, rotation: createRotation(), node: () => worker + 1 };
      for (let handled = -1; handled !== 0; claims[worker] = (claims[worker] ?? 0) + handled)
        handled = await processCalls(own, 10);
    };
    await Promise.all(claims.map((_, worker) => work(worker)));
    assert.equal(
      claims.reduce((sum, count) => sum + count, 0),
      queued.length,
      'each call is claimed once',
    );
    for (const count of claims) assert.ok(count >= 50, `the workers claimed ${claims.join(', ')} calls`);
    const { rows } = await sql<{ key: number; state: string }>`
      select distinct on (dedup_key) substr(dedup_key, 5)::int as key, state from moments
      where webhook_id = ${hook.id} and dedup_key like 'key %' order by dedup_key, id desc`.execute(
      server.db,
    );
    const ends = ['open', 'resolved', 'open'];
    assert.equal(rows.length, keys);
    for (const { key, state } of rows) assert.equal(state, ends[key % 3], `key ${key}`);
  });
});
