import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { createSealing } from '../../kit/sealing.ts';
import { newId } from '../../kit/typeid.ts';
import { migrate } from '../migrate.ts';
import { migrationFiles, runsWhileServing } from '../migration-files.ts';
import { restoreBackup } from './restore.ts';
import { snapshotBeforeMigrations } from './snapshot.ts';

const sealing = createSealing(Buffer.alloc(32, 7));

describe('the snapshot before an upgrade', () => {
  let database: TestDatabase;
  let connection: { connectionString: string };
  let dataDir = '';
  let folder = '';
  let said: string[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    connection = { connectionString: database.url };
    dataDir = mkdtempSync(join(tmpdir(), 'tocsin-snapshot-'));
    folder = join(dataDir, 'snapshots');
    said = [];
  });
  afterEach(async () => {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client(connection);
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  }

  /** Migrates an empty schema as a release without the newest migration. Returns the newest one that it has. */
  async function migrateAsOlderRelease(): Promise<string> {
    await query('drop schema public cascade; create schema public');
    const files = await migrationFiles();
    const older = files.slice(
      0,
      files.findLastIndex(({ text }) => !runsWhileServing(text)),
    );
    await migrate(connection, Promise.resolve(older));
    return older.at(-1)?.name ?? '';
  }

  /** Looks like the database of a release without the newest migration that is applied at the start. */
  async function forgetNewest(): Promise<void> {
    const newest = (await migrationFiles()).findLast(({ text }) => !runsWhileServing(text));
    await query(`delete from migrations where name = '${newest?.name}'`);
  }

  const snapshot = (more: { leastFreeMb?: number; withinMs?: number; signal?: AbortSignal } = {}) =>
    snapshotBeforeMigrations(connection, {
      ...{ dataDir, leastFreeMb: 0, version: '9.9.9', signer: { sealing, mark: 'ours' } },
      log: { info: (sentence) => said.push(sentence), warn: (sentence) => said.push(`warning: ${sentence}`) },
      ...more,
    });

  it('is not written if there is nothing to migrate', async () => {
    assert.equal(await snapshot(), null);
    assert.deepEqual(said, []);
    assert.deepEqual(readdirSync(dataDir), []);
  });

  it('is not written for an empty database', async () => {
    await query('drop schema public cascade; create schema public');
    assert.equal(await snapshot(), null);
    assert.deepEqual(said, []);
  });

  it('can be restored, and names its newest migration', async () => {
    const newest = await migrateAsOlderRelease();
    await query(
      `insert into organizations (id, name, time_zone, created_at, updated_at)
        values ('${newId('organization')}', 'Acme', 'Europe/Berlin', now(), now())`,
    );
    const path = (await snapshot()) ?? '';
    assert.equal(basename(path), `before-9.9.9-at-${newest.slice(0, 4)}.backup`);
    await query('delete from organizations');
    await restoreBackup(connection, path, { replace: true, sealing, checkKey: () => undefined });
    assert.deepEqual(await query('select name from organizations'), [{ name: 'Acme' }]);
  });

  it('is left out, with a warning, if the disk has no room for it', async () => {
    await forgetNewest();
    assert.equal(await snapshot({ leastFreeMb: 2 ** 40 }), null);
    assert.match(
      said.join(),
      /^warning: No snapshot was made before the upgrade: \d+ MiB are free in DATA_DIR, and \d+ MiB are needed\.$/,
    );
    assert.deepEqual(readdirSync(dataDir), []);
  });

  it('is abandoned, with a warning, if it takes too long, and leaves nothing behind', async () => {
    await forgetNewest();
    const holder = new Client(connection);
    await holder.connect();
    // A locked table delays the snapshot for any length of time.
    await holder.query('begin; lock table organizations in access exclusive mode');
    assert.equal(await snapshot({ withinMs: 300 }), null);
    await holder.end();
    assert.equal(said.at(-1), 'warning: No snapshot was made before the upgrade: it took too long.');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('ends when the start that writes it ends', async () => {
    await forgetNewest();
    const signal = AbortSignal.abort(new Error('SIGTERM'));
    await assert.rejects(snapshot({ signal }), /SIGTERM/);
  });

  it('is kept with the two before it, and no others', async () => {
    await forgetNewest();
    const newest = (await snapshot()) ?? '';
    rmSync(newest);
    writeFileSync(join(folder, 'notes.txt'), 'of the operator');
    for (const n of [1, 2, 3, 4]) {
      const file = join(folder, `before-0.${n}.0-at-0001.backup`);
      writeFileSync(file, '');
      utimesSync(file, n, n);
    }
    await snapshot();
    assert.deepEqual(readdirSync(folder).sort(), [
      'before-0.3.0-at-0001.backup',
      'before-0.4.0-at-0001.backup',
      basename(newest),
      'notes.txt',
    ]);
  });
});
