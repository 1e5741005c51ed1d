import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { recordTraffic } from '../../testing/traffic.ts';
import { isDatabaseAway } from './away.ts';
import { endPool } from './connection.ts';
import { createDatabase, createPool, type Database, type Tx } from './database.ts';
import { type Ending, shortTransaction } from './short-transaction.ts';

describe('a short transaction', () => {
  let database: TestDatabase;
  let pool: Pool;
  let other: Pool;
  let db: Database;

  before(async () => {
    database = await testDatabase();
    const connection = { connectionString: database.url };
    pool = createPool({ connection, max: 1, name: 'test' });
    other = createPool({ connection, max: 1, name: 'other' });
    db = createDatabase(pool);
    await other.query('create table stored (word text primary key)');
  });
  beforeEach(() => other.query('truncate stored'));
  after(async () => {
    await endPool(pool);
    await endPool(other);
    await database.drop();
  });

  type Word = { word: string };
  const storing = (word: string) => sql`insert into stored values (${word})`;
  const reading = () => sql<Word>`select word from stored order by word`;
  const read = async (tx: Tx) => (await reading().execute(tx)).rows;
  const reads = { ahead: null, first: read };
  const stored = async () => (await other.query<Word>('select word from stored order by word')).rows;
  const ending = (...last: ReturnType<typeof storing>[]): Ending<string, Word> => ({
    ...{ result: 'done', last, after: reading() },
  });
  const goesOn = async () =>
    assert.equal((await sql<Word>`select 'on' as word`.execute(db)).rows[0]?.word, 'on');

  it('stores what it did and its last statements, and reads behind the commit', async () => {
    const done = await shortTransaction(db, reads, async (tx, found) => {
      assert.deepEqual(found, []);
      await storing('a').execute(tx);
      return ending(storing('b'), storing('c'));
    });
    const words = [{ word: 'a' }, { word: 'b' }, { word: 'c' }];
    assert.deepEqual([done.result, done.rows], ['done', words]);
    assert.deepEqual(
      done.last.map(({ numAffectedRows }) => numAffectedRows),
      [1n, 1n],
    );
    assert.deepEqual(await stored(), words);
  });

  it('waits neither for its beginning nor for its last statements before it sends what follows', async () => {
    // On a new connection, also statements that this process has prepared on others are sent with their text.
    const fresh = createPool({ connection: { connectionString: database.url }, max: 1, name: 'fresh' });
    const traffic = recordTraffic(fresh);
    const own = createDatabase(fresh);
    await reading().execute(own);
    await other.query('select pg_advisory_lock(7)');
    traffic.sent = '';
    const atOnce = (tx: Tx) => sql`select 'sent at once'`.execute(tx);
    const last = [sql`select pg_advisory_xact_lock(7)`, storing('behind')];
    const after = sql<Word>`select word from stored where 'read' <> ''`;
    const done = shortTransaction(own, { ahead: null, first: atOnce }, async () => ({
      result: 'done',
      last,
      after,
    }));
    const waiting = async () =>
      (
        await other.query(`
          select from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`)
      ).rowCount;
    await eventually(waiting, 1);
    const [beginning = '', ...rest] = traffic.sent.split(' ANSWERED ');
    assert.match(beginning, /begin[\s\S]*sent at once/);
    assert.match(rest.join(''), /pg_advisory_xact_lock[\s\S]*behind[\s\S]*commit[\s\S]*'read'/);
    assert.deepEqual(await stored(), []);
    await other.query('select pg_advisory_unlock(7)');
    assert.deepEqual((await done).rows, [{ word: 'behind' }]);
    await endPool(fresh);
  });

  it('reads ahead in the same round trip, and goes on without that when it fails', async () => {
    await other.query("insert into stored values ('early')");
    const fresh = createPool({ connection: { connectionString: database.url }, max: 1, name: 'fresh' });
    const traffic = recordTraffic(fresh);
    const own = createDatabase(fresh);
    await reading().execute(own);
    traffic.sent = '';
    const ahead = sql<Word>`select word from stored where 'ahead' <> ''`;
    const given = await shortTransaction(own, { ahead, first: read }, async (_tx, found, early) => ({
      ...{ result: { found, early }, last: [], after: null },
    }));
    assert.deepEqual(given.result, { found: [{ word: 'early' }], early: [{ word: 'early' }] });
    assert.match(traffic.sent.split(' ANSWERED ')[0] ?? '', /'ahead'[\s\S]*begin/);
    await endPool(fresh);
    const failing = { ahead: sql<Word>`select 1 / 0 as word`, first: read };
    const without = await shortTransaction(db, failing, async (_tx, _found, early) => ({
      ...{ result: early, last: [storing('kept')], after: null },
    }));
    assert.equal(without.result, null);
    assert.deepEqual(await stored(), [{ word: 'early' }, { word: 'kept' }]);
    await goesOn();
  });

  it('is undone when a last statement fails, with the error of that statement', async () => {
    await other.query("insert into stored values ('known')");
    const failing = shortTransaction(db, reads, async (tx) => {
      await storing('before').execute(tx);
      return ending(storing('first'), storing('known'), storing('last'));
    });
    await assert.rejects(failing, /duplicate key value/);
    assert.deepEqual(await stored(), [{ word: 'known' }]);
    await goesOn();
  });

  it('is undone when its work fails, before or after its first statement', async () => {
    const mistaken = () => {
      throw new RangeError('an hour that does not exist');
    };
    for (const first of [read, async (tx: Tx) => void (await read(tx).then(mistaken))])
      await assert.rejects(
        shortTransaction(db, { ahead: null, first }, async (tx) => {
          await storing('lost').execute(tx);
          return mistaken();
        }),
        /an hour that does not exist/,
      );
    assert.deepEqual(await stored(), []);
    await goesOn();
  });

  it('commits nothing when a parameter cannot be written', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const failing = shortTransaction(db, reads, async (tx) => {
      await storing('before').execute(tx);
      return ending(storing('first'), sql`insert into stored values (${circular}::text)`, storing('last'));
    });
    await assert.rejects(failing, /circular/);
    assert.deepEqual(await stored(), []);
    await goesOn();
  });

  it('stays committed when the query behind the commit fails', async () => {
    const done = await shortTransaction(db, reads, async () => ({
      ...ending(storing('kept')),
      after: sql`select 1 / 0 as word`,
    }));
    assert.deepEqual([done.result, done.rows], ['done', null]);
    assert.deepEqual(await stored(), [{ word: 'kept' }]);
  });

  it('is lost when the connection breaks before its end', async () => {
    const gone = sql`select pg_terminate_backend(pg_backend_pid())`;
    const broken = shortTransaction(db, reads, async (tx) => {
      await storing('lost').execute(tx);
      return ending(gone, storing('lost too'));
    });
    await assert.rejects(broken, isDatabaseAway);
    await assert.rejects(
      shortTransaction(db, { ahead: null, first: (tx) => gone.execute(tx) }, async () =>
        ending(storing('lost')),
      ),
      isDatabaseAway,
    );
    await assert.rejects(
      shortTransaction(db, { ahead: gone, first: read }, async () => ending(storing('lost'))),
      isDatabaseAway,
    );
    assert.deepEqual(await stored(), []);
    await goesOn();
  });
});
