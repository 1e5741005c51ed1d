import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportOf } from '../faults/histories/report.ts';
import { playHistories } from '../faults/histories/run.ts';
import { testDatabase } from '../testing/database.ts';

const seed = Number(process.env.HISTORIES_SEED ?? Math.floor(Math.random() * 2 ** 31));

it('keeps every promise in 300 histories of pages, events, answers, edits, deaths, absences and lies', async (t) => {
  t.diagnostic(`Seed ${seed}; again with HISTORIES_SEED=${seed}`);
  const count = Number(process.env.HISTORIES ?? 300);
  const found = await playHistories({ count, seed, database: () => testDatabase() });
  t.diagnostic(reportOf(found));
  assert.equal(found.failure, null, reportOf(found));
  assert.equal(found.played, count);
});
