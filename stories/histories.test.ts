import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { it } from 'node:test';
import { reportOf } from '../faults/histories/report.ts';
import { playHistories } from '../faults/histories/run.ts';
import { testDatabase } from '../testing/database.ts';

/** Each run plays the same histories; HISTORIES_SEED plays others. */
const seed = Number(process.env.HISTORIES_SEED ?? 1_986_239_401);
const count = Number(process.env.HISTORIES ?? 300);

it('keeps every promise in generated histories of pages, events, answers, edits, crashes, absences and lies', async (t) => {
  t.diagnostic(`Seed ${seed}; again with: HISTORIES_SEED=${seed} npm test -- stories/histories.test.ts`);
  const found = await playHistories({
    ...{ count, seed, lanes: availableParallelism() + 1 },
    ground: async () => ({ database: () => testDatabase() }),
  });
  t.diagnostic(reportOf(found));
  assert.deepEqual(found.failures, [], reportOf(found));
  assert.equal(found.played, count);
});
