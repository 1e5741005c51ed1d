import './own-process.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const OWNER = new URL('error-owner.ts', import.meta.url).href;

/** Every way in which an error can come from outside the function of a test, and tests that go on beside it. */
const ERRORS = `
  import { connect } from 'node:net';
  import { before, describe, it, test } from 'node:test';
  const soon = (ms = 50) => new Promise((done) => setTimeout(done, ms));
  const fail = (why) => { throw new Error(why); };
  test('timer', async () => { setTimeout(() => fail('of a timer'), 5); await soon(); });
  test('promise', async () => { Promise.reject(new Error('of a promise')); await soon(); });
  test('promise of a timer', async () => { setTimeout(async () => fail('of a later promise'), 5); await soon(); });
  test('socket', async () => { connect(1).on('connect', () => {}); await soon(200); });
  test('too late', async () => { setTimeout(() => fail('after the end'), 20); });
  test('right', () => soon());
  test('parts', async (t) => {
    await t.test('wrong', async () => { process.nextTick(() => fail('of a part')); await soon(); });
    await t.test('right', () => soon());
  });
  describe('suite', () => {
    before(async () => { setTimeout(() => fail('of a hook'), 5); await soon(); });
    it('right', () => soon());
  });
  test('right again', () => soon());
`;

test("an error from outside a test's function is reported without a test", (t) => {
  const place = directory(t);
  const [expected, got] = [report(place, ERRORS), report(place, ERRORS, '--import', OWNER)];
  assert.deepEqual(got, expected);
  assert.ok(got.lines.includes('ℹ fail 6'), got.lines.join('\n'));
  assert.ok(got.lines.some((line) => line.includes('Error: of a later promise')));
  assert.ok(got.lines.some((line) => line.includes('Test "too late" at') && line.includes('after the end')));
});

test('no promise is recorded for it', (t) => {
  // Promises have numbers only while somebody records them.
  const source = `
    import assert from 'node:assert/strict';
    import { executionAsyncId } from 'node:async_hooks';
    import { test } from 'node:test';
    test('numbered', async () => { await null; assert.equal(executionAsyncId(), 0); });`;
  const place = directory(t);
  assert.equal(report(place, source).status, 1);
  assert.equal(report(place, source, '--import', OWNER).status, 0);
});

function directory(t: TestContext): string {
  const place = mkdtempSync(join(tmpdir(), 'tocsin-owner-'));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

/** What a run of a test file reports, without times and frames of the runner. */
function report(place: string, source: string, ...options: string[]) {
  writeFileSync(join(place, 'one.test.mjs'), source);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [...options, '--test', '--test-reporter=spec', 'one.test.mjs'],
    { cwd: place, env, encoding: 'utf8' },
  );
  const lines = stdout
    .split('\n')
    .filter((line) => !line.includes('duration_ms') && !/^ +at /.test(line))
    .map((line) => line.replace(/ \([\d.]+ms\)$/, ''));
  return { status, lines };
}
