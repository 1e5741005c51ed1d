import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('the measurement of schedules prints how long plans, repairs and the list of on-calls take', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/schedules.ts', 'quick'], {
    cwd: root,
    timeout: 600_000,
  });
  assert.match(stdout, /^weekly, 6 people, 8 weeks +[\d.]+ s +[\d.]+ s +0\.000 % +[\d.]+ s$/m);
  assert.match(stdout, /^ {2}mended: .* ms +[12] +\d of \d$/m);
  assert.match(stdout, /^ {2}longest halt: .* [\d.]+ ms +[\d.]+ ms +[\d.]+ ms$/m);
  const ratio = /^the second as a multiple of the first +([\d.]+)$/m.exec(stdout)?.[1];
  assert.ok(Number(ratio) > 0, stdout);
});
