import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { ALL_LISTS, stateOfLists, takeBackLists } from '../../testing/before-lists.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { migrate } from './migrate.ts';
import { migrationFiles, runsWhileServing } from './migration-files.ts';
import { holdMigrations } from './migration-locks.ts';

describe('migrations', () => {
  let database: TestDatabase;
  let connection: { connectionString: string };
  const clients: Client[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    connection = { connectionString: database.url };
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await database.drop();
  });

  async function session(): Promise<Client> {
    const client = new Client(connection);
    await client.connect();
    clients.push(client);
    return client;
  }

  /** The files of a release with one more migration. */
  async function withOneMore(text: string) {
    const checksum = createHash('sha256').update(text).digest('hex');
    return [...(await migrationFiles()), { name: '9999_newest.sql', text, checksum }];
  }

  it('of a newer release do not prevent an older one from starting', async () => {
    const newer = withOneMore('alter table pages add column newest text');
    assert.deepEqual(await migrate(connection, newer), ['9999_newest.sql']);
    assert.deepEqual(await migrate(connection), []);
    assert.deepEqual(await migrate(connection, newer), []);
  });

  it('prevent an older release from starting if they are marked', async () => {
    const text = '-- not beside older releases: the title is gone\nalter table pages drop column title';
    await migrate(connection, withOneMore(text));
    await assert.rejects(
      migrate(connection),
      /^MigrationFault: The database was migrated by a newer Tocsin \(9999_newest\.sql\), .* Start that version or a later one, or restore a backup/,
    );
  });

  it('are all applied at once in a new database', async () => {
    const client = await session();
    await client.query('drop schema public cascade; create schema public');
    const names = (await migrationFiles()).map(({ name }) => name);
    assert.ok((await migrationFiles()).some(({ text }) => runsWhileServing(text)));
    assert.deepEqual(await migrate(connection), names);
    const { rows } = await client.query(
      'select indexrelid::regclass from pg_index where not indisvalid or not indisready',
    );
    assert.deepEqual(rows, []);
    assert.deepEqual(await stateOfLists(client), ALL_LISTS);
  });

  it('that run while the service runs do not delay the start', async () => {
    await takeBackLists(database);
    assert.deepEqual(await migrate(connection), []);
    assert.deepEqual(await stateOfLists(await session()), { pages_newest: 'good' });
  });

  it('may have been applied in an equivalent earlier form, but in no other', async () => {
    const client = await session();
    const was = (checksum: string) =>
      client.query(`update migrations set checksum = $1 where name = '0175_lists.sql'`, [checksum]);
    await was('1504ad640596c8327a5b65fd5fe141eb398c9dc82f1c4795f07cb87ad0a58a55');
    assert.deepEqual(await migrate(connection), []);
    await was('1504ad640596c8327a5b65fd5fe141eb398c9dc82f1c4795f07cb87ad0a58a56');
    await assert.rejects(
      migrate(connection),
      /its migration 0175_lists\.sql is not the one of this release, so nothing was changed\./,
    );
  });

  it('do not wait for a backup if there is nothing to do', async () => {
    const backup = await session();
    await backup.query('begin');
    await holdMigrations(backup);
    assert.deepEqual(await migrate(connection), []);
    const newer = migrate(connection, withOneMore('alter table pages add column newest text'));
    await waitForTurn(await session(), '0 s');
    await backup.query('commit');
    assert.deepEqual(await newer, ['9999_newest.sql']);
  });

  it('ignore the limits of the role', async () => {
    const client = await session();
    await client.query(`do $$ begin execute format(
      'alter database %I set statement_timeout = 9000; alter database %I set lock_timeout = 100',
      current_database(), current_database()); end $$`);
    const other = await session();
    await other.query('begin');
    await holdMigrations(other);
    const told = `create table told as select current_setting('statement_timeout') as longest`;
    const migrating = migrate(connection, withOneMore(told));
    await waitForTurn(client, '0.3 s');
    await other.query('commit');
    assert.deepEqual(await migrating, ['9999_newest.sql']);
    assert.deepEqual((await client.query('select longest from told')).rows, [{ longest: '0' }]);
  });

  /** Until somebody has waited that long for others to finish migrating. */
  async function waitForTurn(watcher: Client, since: string): Promise<void> {
    const waiting = async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where application_name = 'tocsin migrate' and query like '%try_advisory%'
          and datname = current_database() and now() - backend_start > $1::interval`,
        [since],
      );
      return rowCount;
    };
    await eventually(waiting, 1);
  }

  it('block nobody while they wait for a table', async () => {
    const [holder, watcher, reader] = [await session(), await session(), await session()];
    await holder.query('begin; lock table pages in access share mode');
    const migrating = migrate(connection, withOneMore('alter table pages add column newest text'));
    const waiting = async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where application_name = 'tocsin migrate' and wait_event_type = 'Lock'
          and datname = current_database()`,
      );
      return rowCount;
    };
    await eventually(waiting, 1);
    // This is behind the migration in the queue, and would wait as long as the holder does.
    await reader.query(`set statement_timeout = '10s'; select count(*) from pages`);
    await eventually(waiting, 1);
    await holder.query('commit');
    assert.deepEqual(await migrating, ['9999_newest.sql']);
  });
});
