import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('npm run faults, in its short form: nothing accepted is lost, and every promise holds', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['faults/run.ts', '--short'], {
    cwd: root,
    timeout: 400_000,
  }).catch((error: Error & { stdout?: string; stderr?: string }) => ({
    stdout: `${error.stdout ?? ''}\n${error.stderr ?? ''}`,
  }));
  assert.match(stdout, /Every promise held in \d+ scenarios\./, stdout);
  assert.match(stdout, /^Seed \d+/m);
  assert.equal((stdout.match(/^ +lost +0$/gm) ?? []).length, 2, stdout);
});
