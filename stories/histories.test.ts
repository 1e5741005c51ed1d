import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { it } from 'node:test';
import type { History } from '../faults/histories/history.ts';
import { laneOn } from '../faults/histories/lane.ts';
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

const BY_WEBHOOK = { methods: 1, email: false, phone: false, high: null } as const;

/** A silence that holds an alert ends while another one, which only records, still runs. */
const TWO_SILENCES: History = {
  cast: {
    people: {
      ada: BY_WEBHOOK,
      grace: BY_WEBHOOK,
      alan: BY_WEBHOOK,
      katherine: BY_WEBHOOK,
    },
    ...{ stages: [['ada']], backstop: null, delay: 7, timeouts: { high: 0, medium: 45, low: 0 } },
  },
  acts: [
    { act: 'edit', edit: { what: 'silence', effect: 'record', minutes: 120 }, node: 'first' },
    { act: 'edit', edit: { what: 'silence', effect: 'hold', minutes: 1 }, node: 'first' },
    {
      act: 'race',
      key: 'disk',
      events: [
        { action: 'trigger', urgency: 'high' },
        { action: 'trigger', urgency: 'high' },
      ],
      node: 'second',
    },
    { act: 'wait', minutes: 5, still: false, node: 'second' },
  ],
};

it('pages nobody about a held alert while another silence records it', async () => {
  const lane = laneOn({ database: () => testDatabase() });
  try {
    assert.deepEqual((await lane.play(TWO_SILENCES)).broken, []);
  } finally {
    await lane.end();
  }
});
