import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Prints its name, and exits with 7 on SIGTERM; without arguments it exits at once. */
const PROGRAM = `
process.on('SIGTERM', () => process.exit(7));
const told = { pid: process.pid, version: process.version, args: process.argv.slice(2) };
process.stdout.write(JSON.stringify(told) + '\\n');
if (told.args.includes('stay')) setInterval(() => {}, 1000);
`;

test('the script becomes tocsin: same process, same arguments, its exit code', async (t) => {
  const clone = installedClone(t);
  const { child, told } = await start('sh', [join(clone, 'scripts/run.sh'), 'request', 'a b', 'stay']);
  assert.deepEqual(told, { pid: child.pid, version: process.version, args: ['request', 'a b', 'stay'] });
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('the command of a clone runs from its source, and that of a package from the compiled code', async (t) => {
  const clone = installedClone(t);
  const fromSource = await start(process.execPath, [join(clone, 'bin/tocsin.js'), 'schedules']);
  assert.deepEqual(fromSource.told.args, ['schedules']);

  rmSync(join(clone, 'src'), { recursive: true });
  mkdirSync(join(clone, 'dist/src'), { recursive: true });
  writeFileSync(join(clone, 'dist/src/main.js'), PROGRAM.replace('args: ', 'compiled: true, args: '));
  const { child, told } = await start(process.execPath, [join(clone, 'bin/tocsin.js'), 'stay']);
  assert.equal(told.compiled, true);
  assert.equal(told.version, process.version);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('a package without its Node.js names the command to install it', async (t) => {
  const clone = installedClone(t);
  rmSync(join(clone, 'src'), { recursive: true });
  rmSync(join(clone, 'node_modules/node/bin/node'));
  writeFileSync(join(clone, 'node_modules/node/package.json'), '{ "name": "node", "version": "99.1.0" }');
  const { child, errors } = launch(process.execPath, [join(clone, 'bin/tocsin.js'), 'schedules']);
  assert.deepEqual(await once(child, 'exit'), [1, null]);
  assert.match(await errors, /runs on Node\.js 99\.1\.0, .* Run: npm rebuild --ignore-scripts=false\n$/);
});

test('two simultaneous first starts install once, and both work', async (t) => {
  const clone = emptyClone(t);
  const npm = fakeNpm(
    t,
    clone,
    `mkdir -p node_modules/node/bin; sleep 0.3; ln -s ${process.execPath} node_modules/node/bin/node`,
  );
  const starts = await Promise.all(
    [1, 2].map(() => start('sh', [join(clone, 'scripts/run.sh'), 'x'], npm.env)),
  );
  assert.deepEqual(
    starts.map(({ told }) => told.args),
    [['x'], ['x']],
  );
  assert.equal(npm.calls(), 'ci --include=dev --include=optional --loglevel=error\n');

  await start('sh', [join(clone, 'scripts/run.sh'), 'x'], npm.env);
  assert.equal(npm.calls().split('\n').length, 2, 'later starts find it installed');
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/a': { version: '2.0.0' } } }),
  );
  rmSync(join(clone, 'node_modules'), { recursive: true });
  await start('sh', [join(clone, 'scripts/run.sh'), 'x'], npm.env);
  assert.equal(npm.calls().split('\n').length, 3, 'until the lock file changes');
});

test('an npm that runs no install scripts is reported', async (t) => {
  const clone = emptyClone(t);
  const { child, errors } = launch(
    'sh',
    [join(clone, 'scripts/run.sh')],
    fakeNpm(t, clone, 'mkdir -p node_modules').env,
  );
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  assert.match(await errors, /sets ignore-scripts\)\. Run: npm rebuild --ignore-scripts=false\n$/);
});

test('packages that a developer installed with npm install count as installed', async (t) => {
  const clone = emptyClone(t);
  const lock = (packages: Record<string, { version: string; optional?: true }>) =>
    JSON.stringify({ packages });
  const verdict = async (wanted: string, found: string) => {
    mkdirSync(join(clone, 'node_modules'), { recursive: true });
    writeFileSync(join(clone, 'package-lock.json'), wanted);
    writeFileSync(join(clone, 'node_modules/.package-lock.json'), found);
    const { child } = launch(process.execPath, [join(clone, 'scripts/installed.js')]);
    return (await once(child, 'exit'))[0] === 0;
  };
  const [one, two] = [{ version: '1.0.0' }, { version: '2.0.0' }];
  assert.equal(
    await verdict(lock({ '': one, a: one, b: { ...one, optional: true } }), lock({ a: one })),
    true,
  );
  assert.equal(await verdict(lock({ '': one, a: two }), lock({ a: one })), false);
  assert.equal(await verdict(lock({ '': one, a: one, c: one }), lock({ a: one })), false);
});

/** A clone with its scripts, a program in place of tocsin, and no installed packages. */
function emptyClone(t: TestContext): string {
  const clone = mkdtempSync(join(tmpdir(), 'tocsin-launch-'));
  t.after(() => rmSync(clone, { recursive: true, force: true }));
  for (const part of ['bin', 'scripts']) cpSync(join(root, part), join(clone, part), { recursive: true });
  mkdirSync(join(clone, 'src'));
  writeFileSync(join(clone, 'src/main.ts'), PROGRAM);
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'tocsin', type: 'module' }));
  writeFileSync(join(clone, 'package-lock.json'), '{ "packages": {} }');
  return clone;
}

function installedClone(t: TestContext): string {
  const clone = emptyClone(t);
  mkdirSync(join(clone, 'node_modules/node/bin'), { recursive: true });
  writeFileSync(join(clone, 'node_modules/node/package.json'), '{ "name": "node" }');
  symlinkSync(process.execPath, join(clone, 'node_modules/node/bin/node'));
  cpSync(join(clone, 'package-lock.json'), join(clone, 'node_modules/.tocsin-installed'));
  return clone;
}

/** An npm that records its arguments and then runs a line of shell in the clone. */
function fakeNpm(t: TestContext, clone: string, line: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-npm-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$*" >> ${calls}\ncd ${clone}\n${line}\n`, {
    mode: 0o755,
  });
  const path = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  return { env: { ...process.env, PATH: path }, calls: () => readFileSync(calls, 'utf8') };
}

function launch(command: string, args: string[], env: SpawnOptions['env'] = process.env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, errors: text(child.stderr) };
}

/** Starts it and reads the line that the program prints. */
async function start(command: string, args: string[], env?: SpawnOptions['env']) {
  const { child, errors } = launch(command, args, env);
  const line = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(async () => [await errors]),
  ]);
  return {
    child,
    told: JSON.parse(String(line[0])) as { pid: number; version: string; args: string[]; compiled?: true },
  };
}
