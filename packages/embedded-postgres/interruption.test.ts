import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { postgresAccount, spawnAs } from './account.ts';

const drafts = (dataDir: string) =>
  (existsSync(dataDir) ? readdirSync(dataDir) : []).filter((name) => name.includes('unfinished'));

/** Moments of a first start, in their order. */
const moments: Record<string, (dataDir: string, server: EmbeddedProgram) => Promise<unknown>> = {
  'at once': (_dataDir, server) => server.saw('begun'),
  'when initdb begins': (dataDir) => until(() => drafts(dataDir).length > 0),
  'while initdb works': (dataDir) =>
    until(() => globSync(`${dataDir}/postgres.unfinished-*/cluster/base/*`).length > 0),
  'when the cluster is complete': (dataDir) => until(() => existsSync(join(dataDir, 'postgres'))),
  'while PostgreSQL starts': (dataDir) =>
    until(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))),
};

for (const [moment, reached] of Object.entries(moments)) {
  test(`SIGTERM ${moment} of a first start leaves nothing behind, and the next start works`, async (t) => {
    const dataDir = temporaryDataDir(t);
    const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
    await reached(dataDir, server);

    await server.end();

    assert.equal(server.process.signalCode, null, 'it ends by itself');
    assert.deepEqual(drafts(dataDir), []);
    assert.equal(postmasterOf(dataDir), undefined);
    assert.deepEqual(await programsOf(dataDir), []);
    await startsAndAnswers(run(t, { role: 'server', dataDir, settings: FORGETFUL }));
  });

  test(`a power failure ${moment} of a first start does not matter to the next`, async (t) => {
    const dataDir = temporaryDataDir(t);
    const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
    await reached(dataDir, server);

    await server.kill();

    await startsAndAnswers(run(t, { role: 'server', dataDir, settings: FORGETFUL }));
    assert.deepEqual(drafts(dataDir), []);
  });
}

test('a stale pid file does not matter, even if another process has that number by now', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  const { connection } = await server.saw('running');
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const lockFile = join(connection.host, '.s.PGSQL.5432.lock');
  const [pid, lock] = [readFileSync(pidFile, 'utf8'), readFileSync(lockFile, 'utf8')];
  await server.end();

  const stranger = spawn('sleep', ['60'], { cwd: '/', stdio: 'ignore', ...spawnAs(postgresAccount()) });
  t.after(() => stranger.kill());
  for (const [file, text] of [
    [pidFile, pid],
    [lockFile, lock],
  ] as const) {
    writeFileSync(file, text.replace(/^\d+/, String(stranger.pid)));
  }

  await startsAndAnswers(run(t, { role: 'server', dataDir, settings: FORGETFUL }));
  assert.equal(stranger.exitCode, null, 'the stranger is not touched');
});

async function startsAndAnswers(server: EmbeddedProgram): Promise<void> {
  const { connection } = await server.saw('running');
  assert.deepEqual(await query(connection, 'select current_database() as name'), [{ name: 'tocsin' }]);
  assert.equal(await server.end(), 0);
}

/** Processes that work on this directory, as far as their command lines tell. */
async function programsOf(dataDir: string): Promise<string[]> {
  const ps = spawn('ps', ['-eo', 'args'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = (await ps.stdout.toArray()).join('').split('\n');
  return lines.filter((line) => line.includes(dataDir) && !line.includes('embedded-server'));
}
