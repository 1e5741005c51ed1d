import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { ALL_LISTS, stateOfLists, takeBackLists } from '../../../testing/before-lists.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createLog } from '../../kit/log.ts';
import { createSealing } from '../../kit/sealing.ts';
import { createDatabase, createPool } from '../database.ts';
import { migrateWhileServing } from '../migrate-while-serving.ts';
import { restoreBackup } from './restore.ts';
import { writeBackup } from './write.ts';

const sealing = createSealing(Buffer.alloc(32, 7));
const signer = { sealing, mark: 'ours' };
const ABOUT = { version: '0.1.0', madeAt: '2026-11-20T09:00:00.000Z', keys: null, signer };
const OPTIONS = { replace: false, sealing, checkKey: () => undefined };

/** A backup is also made on the evening of an upgrade, while indexes are still being built. */
describe('a backup of a database with unfinished migrations', () => {
  let database: TestDatabase;
  let client: Client;
  let connection: { connectionString: string };
  let folder = '';
  let path = '';

  beforeEach(async () => {
    database = await testDatabase();
    await takeBackLists(database);
    connection = { connectionString: database.url };
    client = new Client(connection);
    await client.connect();
    folder = mkdtempSync(join(tmpdir(), 'tocsin-backup-'));
    path = join(folder, 'early.backup');
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is restored with everything that it lacked', async () => {
    await writeBackup(connection, path, ABOUT);
    await restoreBackup(connection, path, OPTIONS);
    assert.deepEqual(await stateOfLists(client), ALL_LISTS);
  });

  it('is restored if an earlier form of the migrations made it', async () => {
    await client.query(`insert into migrations (name, checksum)
      values ('0175_lists.sql', '1504ad640596c8327a5b65fd5fe141eb398c9dc82f1c4795f07cb87ad0a58a55')`);
    await writeBackup(connection, path, ABOUT);
    await restoreBackup(connection, path, OPTIONS);
    assert.deepEqual(await stateOfLists(client), ALL_LISTS);
  });

  it('is restored over a service that is building indexes, which then finds them', async () => {
    await writeBackup(connection, path, ABOUT);
    const holder = new Client(connection);
    await holder.connect();
    await holder.query('begin isolation level repeatable read; select version()');
    const db = createDatabase(createPool({ connection, max: 2, name: 'test' }));
    const log = createLog('silent');
    const node = migrateWhileServing({ db, direct: connection, log }, { lookAgainMs: 25 });
    const building = async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where application_name = 'tocsin migrate while serving'
          and datname = current_database() and wait_event_type = 'Lock' and query ilike 'create index%'`,
      );
      return rowCount;
    };
    try {
      await eventually(building, 1);
      await restoreBackup(connection, path, OPTIONS);
      await eventually(async () => node.waiting(), []);
      assert.deepEqual(await stateOfLists(client), ALL_LISTS);
    } finally {
      await node.stop();
      await db.destroy();
      await holder.end();
    }
  });
});
