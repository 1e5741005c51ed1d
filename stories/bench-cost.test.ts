import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('npm run bench -- cost shows the processor time of each kind of work next to that of the bare driver', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/cost.ts', '500'], {
    cwd: root,
    timeout: 600_000,
  });
  for (const what of [
    'insert of a page by the bare driver',
    'page, accepted and sent',
    'event, accepted and sent',
    'moment, recorded',
  ]) {
    const [, client, database, ratio] =
      new RegExp(`^${what} +([\\d.]+) ms +([\\d.]+) ms +([\\d.]+)$`, 'm').exec(stdout)?.map(Number) ?? [];
    for (const figure of [client, database, ratio])
      assert.ok(figure !== undefined && figure > 0, `${what} in:\n${stdout}`);
  }
});
