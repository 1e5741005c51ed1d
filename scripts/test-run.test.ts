import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('test.ts', import.meta.url));
const database = new URL('../testing/database.ts', import.meta.url).href;
const driver = import.meta.resolve('pg');

test('a test has its own migrated database, and nothing is left afterwards', async (t) => {
  const { run, left } = place(t);
  const { code, output } = await run(`
    test('its own', async () => {
      const { url, drop } = await testDatabase();
      const client = new Client(url);
      await client.connect();
      const { rows } = await client.query('select count(*)::int as applied from migrations');
      await client.end();
      await drop();
      if (rows[0].applied === 0) throw new Error('it is empty');
    });`);
  assert.match(output, /ℹ tests 1\n/);
  assert.equal(code, 0, output);
  assert.deepEqual(left(), []);
});

test('a failure sets the exit code', async (t) => {
  const { run, left } = place(t);
  assert.equal((await run(`test('wrong', () => { throw new Error('wrong'); });`)).code, 1);
  assert.deepEqual(left(), []);
});

test('an interrupted run cleans up', async (t) => {
  const { begin, left } = place(t);
  const tests = begin(
    `test('hangs', () => { console.log('hanging'); return new Promise(() => setInterval(() => {}, 1000)); });`,
  );
  await once(tests.stdout, 'data');
  tests.kill('SIGTERM');
  const [code] = await once(tests, 'exit');
  assert.notEqual(code, 0);
  assert.deepEqual(left(), []);
});

test('with --at, programs that are started with a bare environment run by the same clock', () => {
  // Starts it as the service starts its embedded PostgreSQL: without the variables that set the clock, as another user
  // or not.
  const source = `
    const { spawnSync } = require('node:child_process');
    const year = (options) => spawnSync('date', ['+%Y'], { env: {}, encoding: 'utf8', ...options }).stdout;
    const other = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
    process.stdout.write(year({}) + year({ detached: true, ...other }) + year({ env: { LD_PRELOAD: '' } }));`;
  const { stdout, stderr } = at(
    '2091-06-15T12:00',
    `env -i date +%Y; node -e '${source.replaceAll("'", '"')}'`,
  );
  const [real = ''] =
    /^\d+$/m.exec(spawnSync('date', ['+%Y'], { env: { LD_PRELOAD: '' }, encoding: 'utf8' }).stdout) ?? [];
  assert.equal(stdout, `2091\n2091\n2091\n${real}\n`, stderr);
});

test('with --at, a killed program leaves nothing behind that makes a later program with the same number fail', () => {
  // Files of other programs may have the same number.
  const before = readdirSync('/dev/shm');
  const { stdout, stderr } = at('2091-06-15T12:00', `sh -c 'echo $$; kill -9 $$' || :; ls /dev/shm`);
  const [killed = '', ...left] = stdout.trim().split('\n');
  assert.match(killed, /^\d+$/, stderr);
  assert.deepEqual(
    left.filter(
      (name) => name.includes(`faketime_`) && name.includes(`_${killed}`) && !before.includes(name),
    ),
    [],
  );
});

/** Runs a line of shell as `npm test -- --at` runs the tests. */
function at(time: string, line: string) {
  // Without the clock under which this test itself may run.
  const { LD_PRELOAD: _preload, FAKETIME: _clock, FAKETIME_SHARED: _memory, ...env } = process.env;
  return spawnSync('sh', ['-ec', `at=${time}; root=$PWD; . scripts/faked-time.sh; ${line}`], {
    cwd: join(dirname(runner), '..'),
    env: { ...env, LD_PRELOAD: '' },
    encoding: 'utf8',
  });
}

/** A temporary directory that PostgreSQL's user may enter, and a run that uses it as its own temporary directory. */
function place(t: TestContext) {
  const files = mkdtempSync(join(tmpdir(), 'tocsin-run-'));
  const temporary = mkdtempSync(join(tmpdir(), 'tocsin-run-'));
  chmodSync(temporary, 0o711);
  t.after(() => {
    for (const directory of [files, temporary]) rmSync(directory, { recursive: true, force: true });
  });
  const begin = (source: string) => {
    const file = join(files, 'one.test.mjs');
    const imports = `
      import { test } from 'node:test';
      import pg from ${JSON.stringify(driver)};
      import { testDatabase } from ${JSON.stringify(database)};
      const { Client } = pg;`;
    writeFileSync(file, imports + source);
    const {
      KEEP_TEST_DATABASE: _kept,
      NODE_TEST_CONTEXT: _context,
      NODE_COMPILE_CACHE: _compiled,
      ...env
    } = process.env;
    return spawn(process.execPath, [runner, file], {
      env: { ...env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const run = async (source: string) => {
    const tests = begin(source);
    const [output, [code]] = await Promise.all([text(tests.stdout), once(tests, 'exit')]);
    return { code: code as number | null, output };
  };
  return { begin, run, left: () => readdirSync(temporary) };
}
