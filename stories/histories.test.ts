import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportOf } from '../faults/histories/report.ts';
import { playHistories } from '../faults/histories/run.ts';
import { testDatabase } from '../testing/database.ts';

/** Until thousands of histories have shown that the model knows every rule, each run plays the same ones. */
const seed = Number(process.env.HISTORIES_SEED ?? 22);

it('keeps every promise in generated histories of pages, events, answers, edits, deaths, absences and lies', async (t) => {
  t.diagnostic(`Seed ${seed}; again with HISTORIES_SEED=${seed}`);
  const count = Number(process.env.HISTORIES ?? 40);
  const found = await playHistories({ count, seed, database: () => testDatabase() });
  t.diagnostic(reportOf(found));
  assert.equal(found.failure, null, reportOf(found));
  assert.equal(found.played, count);
});
