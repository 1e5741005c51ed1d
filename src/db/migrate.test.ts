import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { migrate, migrationFiles } from './migrate.ts';

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

  /** The files of a release that has one more. */
  async function withOneMore(text: string) {
    const checksum = createHash('sha256').update(text).digest('hex');
    return [...(await migrationFiles()), { name: '9999_newest.sql', text, checksum }];
  }

  it('of a newer release do not keep an older one from starting', async () => {
    const newer = withOneMore('alter table pages add column newest text');
    assert.deepEqual(await migrate(connection, newer), ['9999_newest.sql']);
    assert.deepEqual(await migrate(connection), []);
    assert.deepEqual(await migrate(connection, newer), []);
  });

  it('keep an older release from starting when they say so', async () => {
    const text = '-- not beside older releases: the title is gone\nalter table pages drop column title';
    await migrate(connection, withOneMore(text));
    await assert.rejects(
      migrate(connection),
      /^Error: the database was migrated by a newer Tocsin \(9999_newest\.sql\); start that version or a later one, or restore a backup/,
    );
  });

  it('keep nobody waiting while they wait for a table themselves', async () => {
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
    // Comes behind the migration in the queue, and would wait for as long as the holder does.
    await reader.query(`set statement_timeout = '10s'; select count(*) from pages`);
    await eventually(waiting, 1, 10_000);
    await holder.query('commit');
    assert.deepEqual(await migrating, ['9999_newest.sql']);
  });
});
