import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('the measurement of lists prints how long the service takes for each', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/lists.ts', 'quick'], {
    cwd: root,
    timeout: 600_000,
  });
  for (const list of ['Pages: all', 'Moments: all', 'Schedules', 'People', 'Requests', 'Audit log'])
    assert.match(stdout, new RegExp(`^${list} +[\\d.]+ ms +[\\d.]+ ms +\\d+$`, 'm'));
});
