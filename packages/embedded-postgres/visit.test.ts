import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FORGETFUL,
  postmasterOf,
  query,
  run,
  temporaryDataDir,
  testOptions,
  until,
} from '../../testing/embedded.ts';
import { embeddedConnection, endOrphanedPostgres, withEmbeddedPostgres } from './visit.ts';

test('a command has the database started for the moment, on an empty machine, too', async (t) => {
  const dataDir = temporaryDataDir(t);
  const visit = () =>
    withEmbeddedPostgres(
      dataDir,
      (connection) => query(connection, 'select current_database() as name'),
      testOptions(dataDir),
    );
  assert.deepEqual(await visit(), [{ name: 'tocsin' }]);
  assert.equal(postmasterOf(dataDir), undefined, 'and stopped afterwards');
  assert.equal(await embeddedConnection(dataDir), undefined);
  assert.deepEqual(await visit(), [{ name: 'tocsin' }]);
});

test('a command that fails leaves as properly as one that succeeds', async (t) => {
  const dataDir = temporaryDataDir(t);
  const failing = withEmbeddedPostgres(
    dataDir,
    () => Promise.reject(new Error('no such user')),
    testOptions(dataDir),
  );
  await assert.rejects(failing, { message: 'no such user' });
  assert.equal(postmasterOf(dataDir), undefined);
});

test('a command that is interrupted leaves properly', async (t) => {
  const dataDir = temporaryDataDir(t);
  const visitor = run(t, { role: 'aborted visitor', dataDir, settings: FORGETFUL });
  await visitor.saw('running');
  visitor.process.kill('SIGTERM');
  assert.equal((await visitor.saw('failed')).message, 'SIGTERM');
  assert.equal(postmasterOf(dataDir), undefined);
  await visitor.kill();
});

test('a database that outlived its killed server is ended on demand, and never one that a server or command uses', async (t) => {
  const dataDir = temporaryDataDir(t);
  assert.equal(await endOrphanedPostgres(dataDir), false);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  await query(connection, 'create table accepted as select 1 as page');
  const pid = postmasterOf(dataDir);
  assert.equal(await endOrphanedPostgres(dataDir), false);
  await server.kill();
  assert.equal(postmasterOf(dataDir), pid);
  await withEmbeddedPostgres(
    dataDir,
    async () => assert.equal(await endOrphanedPostgres(dataDir), false),
    testOptions(dataDir),
  );
  // The command that left has stopped it already, so another server is killed.
  const second = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await second.saw('running');
  await second.kill();
  assert.ok(postmasterOf(dataDir));
  assert.equal(await endOrphanedPostgres(dataDir), true);
  assert.equal(postmasterOf(dataDir), undefined);
  const third = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection: again } = await third.saw('running');
  assert.deepEqual(await query(again, 'select page from accepted'), [{ page: 1 }]);
  await third.end();
});

test('while the server runs, a command uses its database and leaves it running', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const pid = postmasterOf(dataDir);

  const found = await withEmbeddedPostgres(dataDir, async (mine) => mine, testOptions(dataDir));

  assert.deepEqual(found, connection);
  assert.deepEqual(await embeddedConnection(dataDir), connection);
  assert.equal(postmasterOf(dataDir), pid);
  await server.end();
});

test('a server that starts during a command takes its database over, and the command leaves it alone', async (t) => {
  const dataDir = temporaryDataDir(t);
  const visitor = run(t, { role: 'visitor', dataDir, settings: FORGETFUL });
  await visitor.saw('running');
  const pid = postmasterOf(dataDir);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');

  assert.equal(await visitor.end(), 0);

  assert.equal(postmasterOf(dataDir), pid);
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }]);
  assert.equal(await server.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});

test('of several commands the last one stops the database, also if the one that started it was killed', async (t) => {
  const dataDir = temporaryDataDir(t);
  const [first, second, third] = ['first', 'second', 'third'].map(() =>
    run(t, { role: 'visitor', dataDir, settings: FORGETFUL }),
  );
  assert.ok(first && second && third);
  await Promise.all([first, second, third].map((visitor) => visitor.saw('running')));
  const pid = postmasterOf(dataDir);

  await first.kill();
  await second.end();
  assert.equal(postmasterOf(dataDir), pid);
  await third.end();
  assert.equal(postmasterOf(dataDir), undefined);
});

test('a command that starts while the server creates its database waits for it', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await server.saw('begun');
  const guest = run(t, { role: 'guest', dataDir, settings: FORGETFUL });
  assert.equal(await guest.exit(), 0);
  await server.saw('running');
  assert.equal(await server.end(), 0);
});

test('a command that starts after a crash waits until the server has restarted the database', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const pid = postmasterOf(dataDir);
  assert.ok(pid);
  process.kill(pid, 'SIGKILL');
  await until(() => postmasterOf(dataDir) !== pid);

  const found = await withEmbeddedPostgres(dataDir, async (mine) => mine, testOptions(dataDir));

  assert.deepEqual(found, connection);
  await server.end();
});

test('commands and servers that come and go all at once do not break one another', async (t) => {
  const dataDir = temporaryDataDir(t);
  const guests = () =>
    Array.from({ length: 4 }, () => run(t, { role: 'guest', dataDir, settings: FORGETFUL }));
  const early = guests();
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  for (const guest of [...early, ...guests()]) assert.equal(await guest.exit(), 0);
  await server.saw('running');
  assert.equal(await server.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});
