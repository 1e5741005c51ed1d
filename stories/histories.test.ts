import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { it } from 'node:test';
import { reportOf } from '../faults/histories/report.ts';
import { playHistories } from '../faults/histories/run.ts';
import { testDatabase } from '../testing/database.ts';

/** Each commit plays other histories, and another run of its tests plays the same. */
const seed = Number(process.env.HISTORIES_SEED ?? seedOfCommit() ?? randomInt(2 ** 31));
const count = Number(process.env.HISTORIES ?? 300);

it('keeps every promise in generated histories of pages, events, answers, edits, deaths, absences and lies', async (t) => {
  t.diagnostic(`Seed ${seed}; again with: HISTORIES_SEED=${seed} npm test -- stories/histories.test.ts`);
  const found = await playHistories({
    ...{ count, seed, lanes: availableParallelism() + 1 },
    ground: async () => ({ database: () => testDatabase() }),
  });
  t.diagnostic(reportOf(found));
  assert.equal(found.failure, null, reportOf(found));
  assert.equal(found.played, count);
});

/** Null outside a repository. */
function seedOfCommit(): number | null {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return /^[0-9a-f]{40}\s*$/.test(stdout ?? '') ? Number.parseInt(stdout.slice(0, 7), 16) : null;
}
