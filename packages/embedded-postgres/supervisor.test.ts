import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { FORGETFUL, postmasterOf, query, run, temporaryDataDir, until } from '../../testing/embedded.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('the first start makes a database that is safe by itself, and later ones use it again', async (t) => {
  const dataDir = temporaryDataDir(t);
  const first = run(t, { role: 'server', dataDir });
  const { connection } = await first.saw('running');

  const settings = [
    'data_checksums',
    'fsync',
    'full_page_writes',
    'synchronous_commit',
    'password_encryption',
  ];
  const rows = await query(
    connection,
    `select name, setting from pg_settings where name in ('${settings.join("','")}')`,
  );
  assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    password_encryption: 'scram-sha-256',
  });
  const [database] = await query(
    connection,
    'select current_database() as name, getdatabaseencoding() as encoding',
  );
  assert.deepEqual(database, { name: 'tocsin', encoding: 'UTF8' });
  await query(connection, 'create table kept (word text)');
  await query(connection, `insert into kept values ('ünïcode')`);
  assert.equal(await first.end(), 0);

  const second = run(t, { role: 'server', dataDir });
  const { connection: again } = await second.saw('running');
  assert.deepEqual(again, connection);
  assert.deepEqual(await query(again, 'select upper(word) as word from kept'), [{ word: 'ÜNÏCODE' }]);
  assert.equal(await second.end(), 0);
});

test('nobody else gets in: a socket only, in a closed directory, with a password that only its owner can read', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');

  assert.deepEqual(await query(connection, 'show listen_addresses'), [{ listen_addresses: '' }]);
  assert.equal(modeOf(connection.host), '700');
  assert.equal(modeOf(join(dataDir, 'postgres')), '700');
  assert.equal(modeOf(join(dataDir, 'postgres', 'tocsin.password')), '600');
  assert.equal(modeOf(join(dataDir, 'postgres.log')), '600');
  await assert.rejects(
    query({ ...connection, password: 'guessed' }, 'select 1'),
    /password authentication failed/,
  );
  await server.end();
});

test('a client in the middle of something does not hold up the end, which leaves nothing behind', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const cutOff = assert.rejects(query(connection, 'select pg_sleep(60)'), /terminat/);
  const asleep = `select 1 from pg_stat_activity where wait_event = 'PgSleep'`;
  await until(async () => (await query(connection, asleep)).length === 1);

  assert.equal(await server.end(), 0);

  await cutOff;
  assert.equal(postmasterOf(dataDir), undefined);
  assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
  assert.equal(existsSync(join(dataDir, 'server.pid')), false);
});

test('a DATA_DIR with a path too long for a socket has it in a temporary directory', async (t) => {
  const dataDir = join(temporaryDataDir(t), 'x'.repeat(60), 'y'.repeat(60));
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');

  assert.ok(connection.host.length < 90);
  assert.equal(modeOf(connection.host), '700');
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }]);
  await server.end();
  assert.equal(existsSync(connection.host), false);
});

test('a DATA_DIR may have spaces, commas and quotes in its name', async (t) => {
  const dataDir = join(temporaryDataDir(t), `it's, "mine" ü`);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }]);
  await server.end();
});

test('a second server on the same data prints who has it and what to do', async (t) => {
  const dataDir = temporaryDataDir(t);
  const first = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await first.saw('running');

  const second = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { message } = await second.saw('failed');
  assert.equal(
    message,
    `Another Tocsin (process ${first.process.pid}) already runs on DATA_DIR ${dataDir}. ` +
      `Stop it first (kill ${first.process.pid}), give this one another DATA_DIR, or set DATABASE_URL, ` +
      'with which several can share one database.',
  );
  assert.equal(await second.exit(), 1);

  assert.ok(postmasterOf(dataDir), 'the first one is not disturbed');
  await first.end();
  const third = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await third.saw('running');
  await third.end();
});

test('two servers that start at the same moment: one runs, one says why not', async (t) => {
  const dataDir = temporaryDataDir(t);
  const both = [1, 2].map(() => run(t, { role: 'server', dataDir, settings: FORGETFUL }));
  const outcomes = await Promise.all(
    both.map((server) => Promise.race([server.saw('running'), server.exit()])),
  );
  assert.equal(outcomes.filter((outcome) => outcome === 1).length, 1);
  await Promise.all(both.map((server) => server.end()));
  assert.equal(postmasterOf(dataDir), undefined);
});

test('a cluster of another major version is left alone, with what to do', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'guest', dataDir, settings: FORGETFUL });
  assert.equal(await server.exit(), 0);
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');

  const { message } = await run(t, { role: 'server', dataDir }).saw('failed');
  assert.match(
    message,
    /was made by PostgreSQL 17, and this Tocsin brings PostgreSQL 18\..*tocsin backup FILE.*tocsin restore FILE/,
  );
});

test('a link to a database that is gone is not mistaken for a first start', async (t) => {
  const dataDir = temporaryDataDir(t);
  mkdirSync(dataDir);
  symlinkSync(join(dirname(dataDir), 'gone'), join(dataDir, 'postgres'));

  const { message } = await run(t, { role: 'server', dataDir }).saw('failed');
  assert.match(message, /that directory is gone\. Bring it back, or delete the link/);
  assert.equal(readlinkSync(join(dataDir, 'postgres')), join(dirname(dataDir), 'gone'));
});

test('a DATA_DIR that cannot be made is said in one sentence', async (t) => {
  const dataDir = temporaryDataDir(t);
  writeFileSync(dataDir, '');
  const { message } = await run(t, { role: 'server', dataDir: join(dataDir, 'below') }).saw('failed');
  assert.match(message, /^DATA_DIR \(.*below\) cannot be used: ENOTDIR/);
});
