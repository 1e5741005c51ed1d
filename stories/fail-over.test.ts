/**
 * Fail-overs of the database, in the short form of `npm run faults`: over a primary and its replica, made by Debian's PostgreSQL.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

for (const scenario of ['switchover', 'failover-sync', 'failover-async', 'split-brain'])
  it(`${scenario}: nodes that nobody restarts go on with the new primary, and nothing accepted is lost`, async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['faults/run.ts', '--short', '--only', scenario],
      { cwd: root, timeout: 500_000 },
    ).catch((error: Error & { stdout?: string; stderr?: string }) => ({
      stdout: `${error.stdout ?? ''}\n${error.stderr ?? ''}`,
    }));
    assert.match(stdout, /Every promise held in 1 scenario\./, stdout);
    assert.match(stdout, /^ +lost +0$/m, stdout);
  });
