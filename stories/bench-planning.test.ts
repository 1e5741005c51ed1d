import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('the measurement of planning agrees with trying all plans, and is never worse than greedy', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/planning.ts', 'quick'], {
    cwd: root,
    timeout: 600_000,
  });
  assert.match(stdout, /agree with trying all plans\s+5 of 5$/m);
  const row = /^weekly.*\(1\) +\d+ +[\d.]+ s +[\d.]+ s +[\d.]+ % +(?<solver>-?\d+) +(?<greedy>-?\d+) /m.exec(
    stdout,
  );
  assert.ok(Number(row?.groups?.solver) <= Number(row?.groups?.greedy), stdout);
});
