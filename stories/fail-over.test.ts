/**
 * Failovers of the database, in the short form of `npm run faults`: a primary and its replica, run by Debian's
 * PostgreSQL.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { commandLine } from '../testing/command-line.ts';
import { replicas } from '../testing/replicas.ts';

const root = new URL('../', import.meta.url).pathname;

const SCENARIOS = ['switchover', 'failover-sync', 'failover-async', 'split-brain'];
let printed: Promise<string> | null = null;

/** The output of one run of all scenarios. A process with its modules costs as much as a fifth of a scenario. */
function printedByAll(): Promise<string> {
  printed ??= promisify(execFile)(
    process.execPath,
    ['faults/run.ts', '--short', '--only', SCENARIOS.join()],
    { cwd: root, timeout: 1_500_000 },
  ).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}\n${error.stderr ?? ''}`,
  );
  return printed;
}

for (const scenario of SCENARIOS)
  it(`${scenario}: nodes that nobody restarts go on with the new primary, and nothing accepted is lost`, async () => {
    const all = await printedByAll();
    const own = all.split(/\n\n(?=\S)/).find((part) => part.split(/ +|:/)[1] === scenario) ?? all;
    assert.match(own, new RegExp(`^holds   ${scenario}:`), own);
    assert.match(own, /^ +lost +0$/m, own);
  });

it('commands find the primary among the hosts, and the doctor reports that a standby copies asynchronously', async () => {
  const pair = await replicas();
  const tocsin = commandLine(null);
  try {
    const hosts = [pair.second.port, pair.first.port].map((port) => `127.0.0.1:${port}`).join();
    const env = { DATABASE_URL: `postgresql://tocsin@${hosts}/tocsin` };
    const made = await tocsin.run(
      ['owner', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--organization', 'Acme'],
      { env },
    );
    assert.equal(made.code, 0, made.stderr);
    const { stdout } = await tocsin.run(['doctor'], { env });
    assert.match(stdout, /a standby copies this database asynchronously/);
    await pair.makeSynchronous();
    assert.match(
      (await tocsin.run(['doctor'], { env })).stdout,
      /copies this database, and commits wait for it/,
    );
    const alone = { DATABASE_URL: pair.second.url };
    const refused = await tocsin.run(['doctor'], { env: alone });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /cannot be used \(the database takes no writes.*check DATABASE_URL/);
  } finally {
    await pair.remove();
    tocsin.remove();
  }
});
