import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('a day of traffic, here within seconds, loses no page and miscounts no moment, and prints its figures', async () => {
  const { stdout } = await promisify(execFile)('sh', ['scripts/bench.sh', 'day', '0.08'], {
    cwd: root,
    timeout: 600_000,
  });
  const figures = (what: string) =>
    new RegExp(`^${what} +(.*)$`, 'm').exec(stdout)?.[1]?.split(/ {2,}/).map(Number.parseFloat) ?? [];
  assert.deepEqual(figures('a day in 0.08 minutes: pages, calls of webhooks'), [21, 1000], stdout);
  assert.deepEqual(figures('pages accepted, refused'), [21, 0]);
  assert.deepEqual(figures('pages lost, failed with a reason'), [0, 0]);
  assert.deepEqual(figures('pages sent after their answer'), [0]);
  assert.deepEqual(figures('calls of webhooks accepted, refused'), [1000, 0]);
  assert.equal(figures('of these recorded, ignored as repeated deliveries')[0], 1000);
  assert.deepEqual(figures('moments they made, missing, miscounted').slice(1), [0, 0]);
  assert.deepEqual(figures('promises that did not hold'), [0]);
  for (const what of [
    'heap that lives, MiB',
    'resident memory of the process, MiB',
    'connections to the database',
  ])
    assert.ok(
      figures(what)
        .slice(0, 3)
        .every((figure) => figure > 0),
      `${what} is missing in:\n${stdout}`,
    );
});
