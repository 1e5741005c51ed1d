import './own-process.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LONGEST, shareProcesses } from './shared-processes.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const BROWSER = join(root, 'testing', 'browser.ts');

test('every file of the repository is run once', (t) => {
  const files = globSync('{src,stories,testing,scripts,web/src}/**/*.test.ts', { cwd: root }).map((path) =>
    join(root, path),
  );
  const run = shareProcesses(files, place(t)).flatMap(imported);
  assert.deepEqual(run.sort(), files.sort());
});

test('the slowest files start first, and all of them exist', (t) => {
  const files = globSync('{src,packages,stories,scripts}/**/*.test.ts', { cwd: root }).map((path) =>
    join(root, path),
  );
  const run = shareProcesses(files, place(t));
  // node --test sorts them.
  assert.deepEqual(run, run.toSorted());
  const first = LONGEST.map((name) => run.findIndex((file) => imported(file).includes(join(root, name))));
  // Two of them may be in one process.
  assert.deepEqual(
    [...new Set(first)],
    [...new Set(first)].map((_, at) => at),
  );
});

test('files that need their own process are alone in it', (t) => {
  const directory = place(t);
  const lines = {
    story: `import '../testing/own-process.ts';`,
    rule: `import '../../testing/own-process.ts';`,
    kit: `import './own-process.ts';`,
  };
  const alone = Object.entries(lines).map(([name, line]) => write(directory, name, line));
  const pure = [1, 2, 3].map((number) => write(directory, `pure-${number}`, `describe('it', () => {});`));
  const run = shareProcesses([...alone, ...pure], directory).map(imported);
  const groups = [pure, ...alone.map((file) => [file])];
  assert.deepEqual(run.toSorted(), groups.toSorted());
});

test('hooks of files that run together are those of their file, also of one that waits before its tests', (t) => {
  const directory = place(t);
  const lines = (name: string) => `
    import { after, before, test } from 'node:test';
    before(() => console.log('${name} begins'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    after(() => console.log('${name} ends'));
    test('${name}', () => console.log('${name} runs'));`;
  const files = ['one', 'two'].map((name) => write(directory, name, lines(name)));
  const { stdout } = runTogether(files, directory);
  assert.deepEqual(stdout.match(/^(one|two) (begins|runs|ends)$/gm), [
    ...['one begins', 'one runs', 'one ends'],
    ...['two begins', 'two runs', 'two ends'],
  ]);
});

test('tests that run together are counted separately, and a failing one is named with its own file', (t) => {
  const directory = place(t);
  const begin = `import { test } from 'node:test';\n`;
  const files = [
    write(directory, 'holds', `${begin}test('holds', () => {});`),
    write(directory, 'breaks', `${begin}test('breaks', () => { throw new Error('broken'); });`),
  ];
  const { status, stdout } = runTogether(files, directory);
  assert.equal(status, 1);
  assert.match(stdout, /ℹ tests 2\n/);
  assert.match(stdout, /ℹ fail 1\n/);
  assert.match(stdout, /test at breaks\.test\.ts:2/);
});

/** As `npm test` runs them. */
function runTogether(files: readonly string[], directory: string) {
  const together = shareProcesses(files, directory);
  assert.equal(together.length, 1);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const owner = new URL('error-owner.ts', import.meta.url).href;
  const options = ['--import', owner, '--test', '--test-reporter=spec', ...together];
  return spawnSync(process.execPath, options, { cwd: directory, env, encoding: 'utf8' });
}

function place(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-together-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function write(directory: string, name: string, source: string): string {
  const file = join(directory, `${name}.test.ts`);
  writeFileSync(file, `${source}\n`);
  return file;
}

/** The files that run in one process. */
function imported(file: string): string[] {
  const imports = /^(?:await |describe\(.+, \(\) => )import\("(.+)"\)+;$/gm;
  return [...readFileSync(file, 'utf8').matchAll(imports)]
    .map(([, url]) => fileURLToPath(url ?? ''))
    .filter((path) => path !== BROWSER);
}
