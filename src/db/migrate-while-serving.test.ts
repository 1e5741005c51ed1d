import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { createLog } from '../kit/log.ts';
import { createDatabase, createPool, type Database } from './database.ts';
import { migrate } from './migrate.ts';
import { migrateWhileServing, type WhileServing } from './migrate-while-serving.ts';
import { type MigrationFile, migrationFiles } from './migration-files.ts';

const INDEX = 'attempts_by_failures';
const BUILD = `create index concurrently if not exists ${INDEX} on sign_in_attempts (failures)`;

describe('migrations while the service runs', () => {
  let database: TestDatabase;
  let connection: { connectionString: string };
  let db: Database;
  let watcher: Client;
  const clients: Client[] = [];
  const nodes: WhileServing[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    connection = { connectionString: database.url };
    db = createDatabase(createPool({ connection, max: 4, name: 'test' }));
    watcher = await session();
    await watcher.query(`insert into sign_in_attempts (subject, failures, last_at)
      select sha256(n::text::bytea), n % 7, now() from generate_series(1, 100000) n`);
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
    for (const client of clients.splice(0)) await client.end();
    await db.destroy();
    await database.drop();
  });

  async function session(): Promise<Client> {
    const client = new Client(connection);
    await client.connect();
    clients.push(client);
    return client;
  }

  function file(name: string, text: string): MigrationFile {
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  }

  /** The files of a release with one more migration of this kind. */
  async function withOneMore(text = BUILD): Promise<MigrationFile[]> {
    return [...(await migrationFiles()), file('9998_newest.sql', `-- while the service runs\n${text};\n`)];
  }

  function startNode(files = withOneMore(), log = createLog('silent')): WhileServing {
    const node = migrateWhileServing({ db, direct: connection, log }, { files, lookAgainMs: 25 });
    nodes.push(node);
    return node;
  }

  /** A transaction that every index has to wait for, such as a backup. */
  async function hold(): Promise<Client> {
    const holder = await session();
    await holder.query('begin isolation level repeatable read; select from teams');
    return holder;
  }

  async function stateOfIndex(): Promise<string> {
    const { rows } = await watcher.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [INDEX],
    );
    return rows[0] ? (rows[0].valid ? 'good' : 'unfinished') : 'none';
  }

  /** Sessions that wait for somebody, by their process. */
  async function builders(): Promise<number[]> {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'tocsin migrate while serving'
        and datname = current_database() and wait_event_type = 'Lock' and query ilike 'create index%'`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Waits for a session other than the former one. */
  async function builder(former = 0): Promise<number> {
    let found = 0;
    const look = async () => {
      found = (await builders()).find((pid) => pid !== former) ?? 0;
      return found > 0;
    };
    await eventually(look, true);
    return found;
  }

  it('let rows be written while an index is built, for as long as it takes', async () => {
    const writing = await session();
    await writing.query(`begin; insert into sign_in_attempts values ('\\x${'aa'.repeat(32)}', 1, now())`);
    const node = startNode();
    await eventually(stateOfIndex, 'unfinished');
    await builder();
    const others = await session();
    await others.query(`set statement_timeout = '60s'`);
    for (let n = 0; n < 20; n++)
      await others.query(
        `insert into sign_in_attempts select sha256(gen_random_uuid()::text::bytea), 1, now()`,
      );
    await others.query('update sign_in_attempts set failures = failures + 1 where failures = 1');
    assert.deepEqual(node.waiting(), ['9998_newest.sql']);
    await writing.query('commit');
    await eventually(stateOfIndex, 'good');
    await eventually(async () => node.waiting(), []);
    assert.deepEqual(await migrate(connection, withOneMore()), [], 'nothing is left to do at a start');
  });

  it('start again after an interruption, whatever the reason', async () => {
    const holder = await hold();
    const node = startNode();
    const first = await builder();
    await watcher.query('select pg_terminate_backend($1)', [first]);
    const second = await builder(first);
    await watcher.query('select pg_cancel_backend($1)', [second]);
    await builder(second);
    await node.stop();
    await eventually(builders, []);
    assert.equal(await stateOfIndex(), 'unfinished');
    startNode();
    await builder();
    await holder.query('commit');
    await eventually(stateOfIndex, 'good');
  });

  it('run on one node, and on another if that one ends', async () => {
    const holder = await hold();
    let begun = 0;
    const count = (chunk: Buffer, _: string, done: () => void) => {
      begun += `${chunk}`.split('started a migration while serving').length - 1;
      done();
    };
    const log = createLog('info', new Writable({ write: count }));
    const [first, second] = [startNode(undefined, log), startNode(undefined, log)];
    const pid = await builder();
    await watcher.query('select pg_terminate_backend($1)', [pid]);
    await builder(pid);
    await holder.query('commit');
    await eventually(async () => [first.waiting(), second.waiting()], [[], []]);
    assert.equal(await stateOfIndex(), 'good');
    assert.equal(begun, 2, 'one after the other');
  });

  it('give way to migrations that a newer release needs at its start, and continue afterwards', {
    timeout: 600_000,
  }, async () => {
    const holder = await hold();
    startNode();
    const pid = await builder();
    const newer = [
      ...(await withOneMore()),
      file('9999_after.sql', 'alter table sign_in_attempts add column newest text'),
    ];
    assert.deepEqual(await migrate(connection, Promise.resolve(newer)), ['9999_after.sql']);
    await builder(pid);
    await holder.query('commit');
    await eventually(stateOfIndex, 'good');
  });

  it('do not wait for nodes that wait to migrate', async () => {
    const other = await session();
    await other.query('begin; select pg_advisory_xact_lock(73030001)');
    const newer = [
      ...(await withOneMore()),
      file('9999_after.sql', 'alter table teams add column newest text'),
    ];
    const starting = migrate(connection, Promise.resolve(newer));
    const waits = async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where application_name = 'tocsin migrate' and query like '%try_advisory%'
          and datname = current_database()`,
      );
      return rowCount;
    };
    await eventually(waits, 1);
    startNode();
    await eventually(stateOfIndex, 'good');
    await other.query('commit');
    assert.deepEqual(await starting, ['9999_after.sql']);
  });

  it('skip objects that a later migration removed', async () => {
    await watcher.query('alter table sign_in_attempts drop column failures');
    const node = startNode();
    const noted = async () =>
      (await watcher.query(`select from migrations where name = '9998_newest.sql'`)).rowCount;
    await eventually(noted, 1);
    await eventually(async () => node.waiting(), []);
    assert.equal(await stateOfIndex(), 'none');
  });

  it('also check constraints of old rows, and do not count as done while they cannot', async () => {
    await watcher.query('alter table sign_in_attempts add constraint few check (failures < 6) not valid');
    const node = startNode(withOneMore('alter table sign_in_attempts validate constraint few'));
    await eventually(async () => node.waiting(), ['9998_newest.sql']);
    await watcher.query('delete from sign_in_attempts where failures = 6');
    await eventually(async () => node.waiting(), []);
    const { rows } = await watcher.query(`select convalidated from pg_constraint where conname = 'few'`);
    assert.deepEqual(rows, [{ convalidated: true }]);
  });
});
