import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { divide } from './turns.ts';

type Waiting = Parameters<typeof divide>[0][number];

function waiting(turnOf: string, rows: number, { organizationId = 'acme', rank = 0 } = {}): Waiting {
  return { organizationId, turnOf, rank, rows };
}

const quotas = (turns: readonly Waiting[], limit: number) =>
  divide(turns, limit).map(({ organizationId, turnOf, rank, quota }) => [
    organizationId,
    turnOf,
    rank,
    quota,
  ]);

describe('a claim', () => {
  it('is divided among the teams, and the others get what one leaves', () => {
    assert.deepEqual(quotas([waiting('loud', 50), waiting('quiet', 2)], 10), [
      ['acme', 'loud', 0, 8],
      ['acme', 'quiet', 0, 2],
    ]);
    assert.deepEqual(quotas([waiting('quiet', 2), waiting('none', 0)], 10), [['acme', 'quiet', 0, 2]]);
  });

  it('is divided among the organizations first', () => {
    const teams = Array.from({ length: 100 }, (_, n) => waiting(`team ${n}`, 10));
    const ofGlobex = divide([...teams, waiting('sre', 50, { organizationId: 'globex' })], 10).filter(
      ({ organizationId }) => organizationId === 'globex',
    );
    assert.deepEqual(
      ofGlobex.map(({ quota }) => quota),
      [5],
    );
  });

  it('goes to the urgent rows first, within a turn and if there are more turns than rows', () => {
    assert.deepEqual(quotas([waiting('sre', 5, { rank: 2 }), waiting('sre', 5)], 4), [['acme', 'sre', 0, 4]]);
    const low = Array.from({ length: 20 }, (_, n) => waiting(`team ${n}`, 5, { rank: 2 }));
    assert.deepEqual(quotas([...low, waiting('last', 1)], 1), [['acme', 'last', 0, 1]]);
  });
});
