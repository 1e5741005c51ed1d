import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('the measurement of sources shows one page for a flood of events, and that no other page is lost', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/sources.ts', '2'], {
    cwd: root,
    timeout: 600_000,
  });
  assert.match(stdout, /^ratio of the medians +[\d.]+$/m);
  assert.match(stdout, /^a source, 64 connections: a second +[1-9]\d*$/m);
  const [, sent, accepted, refused] =
    /^events of one dedup key: sent, accepted, 429 +(\d+) +(\d+) +(\d+)$/m.exec(stdout) ?? [];
  assert.ok(Number(accepted) > 0, stdout);
  assert.equal(Number(accepted) + Number(refused), Number(sent), stdout);
  assert.match(stdout, /^pages of that key +1$/m);
  assert.match(stdout, /^lost +0$/m);
});
