import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type EmbeddedProgram,
  FORGETFUL,
  postmasterOf,
  query,
  run,
  temporaryDataDir,
  until,
} from '../../testing/embedded.ts';

test('a database that outlived its killed server is taken over, with all it knows, and stopped in the end', async (t) => {
  const dataDir = temporaryDataDir(t);
  const first = run(t, { role: 'server', dataDir });
  const { connection } = await first.saw('running');
  await query(connection, 'create table accepted as select 1 as page');
  const pid = postmasterOf(dataDir);

  await first.kill();

  assert.ok(pid);
  assert.equal(postmasterOf(dataDir), pid, 'it lives, although the whole process group was killed');
  const second = run(t, { role: 'server', dataDir });
  const { connection: again } = await second.saw('running');
  assert.equal(postmasterOf(dataDir), pid, 'it is the same one');
  assert.deepEqual(await query(again, 'select page from accepted'), [{ page: 1 }]);
  assert.equal(await second.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});

test('one that was taken over is supervised, too', async (t) => {
  const dataDir = temporaryDataDir(t);
  const first = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await first.saw('running');
  await first.kill();
  const second = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await second.saw('running');

  await crash(dataDir);

  await second.saw('crashed');
  await untilAnswered(connection);
  assert.equal(await second.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});

test('one that another version started, with other settings, is restarted', async (t) => {
  const dataDir = temporaryDataDir(t);
  const first = run(t, { role: 'server', dataDir, settings: { ...FORGETFUL, work_mem: '4MB' } });
  await first.saw('running');
  await first.kill();

  const second = run(t, { role: 'server', dataDir, settings: { ...FORGETFUL, work_mem: '5MB' } });
  const { connection } = await second.saw('running');
  assert.deepEqual(await query(connection, 'show work_mem'), [{ work_mem: '5MB' }]);
  await second.end();
});

test('a database that crashes restarts by itself, again and again, at the same address and with all its data', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir });
  const { connection } = await server.saw('running');
  await query(connection, 'create table accepted (page int)');

  for (const page of [1, 2, 3]) {
    await query(connection, `insert into accepted values (${page})`);
    await crash(dataDir);
    await server.saw('crashed', page);
    await until(() => restarted(server, dataDir));
    const [row] = await query(connection, 'select count(*)::int as pages from accepted');
    assert.deepEqual(row, { pages: page });
  }

  assert.equal(await server.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});

test('a database that crashes before its restart is complete is restarted again', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  for (let crashes = 1; crashes <= 3; crashes++) {
    await until(() => postmasterOf(dataDir) !== undefined);
    await crash(dataDir);
  }
  await until(() => restarted(server, dataDir));
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }]);
  assert.equal(await server.end(), 0);
});

test('the end between a crash and the restart is an end', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await server.saw('running');
  await crash(dataDir);
  await server.saw('crashed');

  assert.equal(await server.end(), 0);
  assert.equal(postmasterOf(dataDir), undefined);
});

/** Whether the server has said that the database runs which runs now. */
function restarted(server: EmbeddedProgram, dataDir: string): boolean {
  const news = `runs (process ${postmasterOf(dataDir)})`;
  return server.told.some((event) => event.event === 'log' && event.message.includes(news));
}

/** As the kernel does when memory runs out. */
async function crash(dataDir: string): Promise<void> {
  const pid = postmasterOf(dataDir);
  assert.ok(pid, 'the database runs');
  process.kill(pid, 'SIGKILL');
  await until(() => postmasterOf(dataDir) !== pid);
}

async function untilAnswered(connection: Parameters<typeof query>[0]): Promise<void> {
  const answers = () =>
    query(connection, 'select 1').then(
      () => true,
      () => false,
    );
  await until(answers);
}
