import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { recordTraffic, type Traffic } from '../../testing/traffic.ts';
import { isDatabaseAway } from './away.ts';
import { endPool } from './connection.ts';
import { createDatabase, createPool, type Database, type Tx } from './database.ts';
import { together } from './together.ts';

describe('statements that are run together', () => {
  let database: TestDatabase;
  let pool: Pool;
  let other: Pool;
  let db: Database;
  let traffic: Traffic;

  before(async () => {
    database = await testDatabase();
    const connection = { connectionString: database.url };
    pool = createPool({ connection, max: 1, name: 'test' });
    other = createPool({ connection, max: 1, name: 'other' });
    traffic = recordTraffic(pool);
    db = createDatabase(pool);
    await other.query('create table told (word text primary key)');
  });
  beforeEach(() => other.query('truncate told'));
  after(async () => {
    await endPool(pool);
    await endPool(other);
    await database.drop();
  });

  const tell = async (tx: Tx, word: string) =>
    void (await sql`insert into told values (${word})`.execute(tx));
  const told = async () =>
    (await other.query<{ word: string }>('select word from told order by word')).rows.map(({ word }) => word);
  const say = async (tx: Tx, word: string) =>
    (await sql<{ word: string }>`select ${word}::text as word`.execute(tx)).rows[0]?.word;

  it('return their results in order', async () => {
    const words = await db
      .transaction()
      .execute((tx) =>
        together(tx, [(side) => say(side, 'one'), (side) => say(side, 'two'), (side) => say(side, 'three')]),
      );
    assert.deepEqual(words, ['one', 'two', 'three']);
  });

  it('do not wait for each other on their way', async () => {
    await other.query('select pg_advisory_lock(7)');
    traffic.sent = '';
    const done = db
      .transaction()
      .execute((tx) =>
        together(tx, [
          (side) => sql`select pg_advisory_xact_lock(7)`.execute(side),
          (side) => say(side, 'not waiting'),
        ]),
      );
    const waiting = async () =>
      (
        await other.query(`
          select from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`)
      ).rowCount;
    await eventually(waiting, 1);
    assert.match(traffic.sent, /pg_advisory_xact_lock[\s\S]*not waiting/);
    await other.query('select pg_advisory_unlock(7)');
    assert.equal((await done)[1], 'not waiting');
  });

  it('are all undone if one fails, and its error is thrown', async () => {
    await tell(db as Tx, 'known');
    const failing = db.transaction().execute(async (tx) => {
      await tell(tx, 'before');
      await together(tx, [
        (side) => tell(side, 'first'),
        (side) => tell(side, 'known'),
        (side) => tell(side, 'last'),
        (side) => say(side, 'at the end'),
      ]);
    });
    await assert.rejects(failing, /duplicate key value/);
    assert.deepEqual(await told(), ['known']);
    assert.equal(await say(db as Tx, 'the connection goes on'), 'the connection goes on');
  });

  it('leave nothing running after a failure', async () => {
    let ended = false;
    const slow = async (side: Tx) => {
      await say(side, 'first').catch(() => undefined);
      await say(side, 'second').catch(() => undefined);
      ended = true;
    };
    const failing = db.transaction().execute((tx) =>
      together(tx, [(side) => sql`select 1 / 0`.execute(side), slow, slow]).catch((error) => {
        assert.ok(ended);
        throw error;
      }),
    );
    await assert.rejects(failing, /division by zero/);
  });

  it('leave nothing running if one fails before its first query', async () => {
    const two = async (side: Tx) => {
      await tell(side, 'first');
      await tell(side, 'second');
    };
    const mistaken = (): Promise<void> => {
      throw new RangeError('an hour that does not exist');
    };
    await assert.rejects(
      db.transaction().execute((tx) => together(tx, [two, mistaken, two])),
      /an hour that does not exist/,
    );
    assert.equal(await say(db as Tx, 'the connection goes on'), 'the connection goes on');
    assert.deepEqual(await told(), []);
  });

  it('may be nested, and the transaction continues after them', async () => {
    await db.transaction().execute(async (tx) => {
      await together(tx, [
        (side) => together(side, [(inner) => tell(inner, 'a'), (inner) => tell(inner, 'b')]),
        (side) => tell(side, 'c'),
      ]);
      await tell(tx, 'd');
    });
    assert.deepEqual(await told(), ['a', 'b', 'c', 'd']);
  });

  it('fail as lost if the connection breaks while they run', async () => {
    const broken = db
      .transaction()
      .execute((tx) =>
        together(tx, [
          (side) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(side),
          (side) => tell(side, 'lost'),
        ]),
      );
    await assert.rejects(broken, isDatabaseAway);
    assert.deepEqual(await told(), []);
    assert.equal(await say(db as Tx, 'another connection'), 'another connection');
  });
});
