import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Carrier, spreadOf } from './spread.ts';
import { countWishes } from './wishes.ts';

const carrier = (name: string, shifts: number, share: number, present: number): Carrier => ({
  ...{ name, shifts, present },
  balance: shifts - share,
  burden: shifts,
});

describe('the spread', () => {
  it('is measured by the time that each person was a member', () => {
    const spread = spreadOf([carrier('Ada', 6, 6, 12), carrier('Alan', 2, 2, 4)]);
    assert.deepEqual([spread.range, spread.from_share, spread.gini], [4, 0, 0]);
    assert.match(spread.sentence, /differ by 4 shifts\. .* nobody has more than 0 shifts more/);
  });

  it('names the people with the most and the fewest shifts', () => {
    const { sentence, from_share, gini } = spreadOf([
      carrier('Ada', 7, 4, 8),
      carrier('Alan', 1, 4, 8),
      carrier('Grace', 4, 4, 8),
    ]);
    assert.deepEqual([from_share, gini], [6, 0.33]);
    assert.match(sentence, /Ada has 6 shifts more than Alan\.$/);
  });

  it('reports that there is nothing to compare', () => {
    assert.match(spreadOf([]).sentence, /Nobody is in the rotation/);
    assert.match(spreadOf([carrier('Ada', 7, 7, 7)]).sentence, /^Ada has all of the load/);
  });
});

describe('wishes', () => {
  it('counts only where a shift could have been theirs', () => {
    const wish = (type: 'requested' | 'soft_unavailable', from: number) => ({
      ...{ userId: 'ada', type, from },
      to: from + 5,
    });
    const [had, could] = [[{ from: 0, to: 10 }], [[{ from: 0, to: 30 }]]];
    const wishes = (['requested', 'soft_unavailable'] as const).flatMap((type) => [
      wish(type, 2),
      wish(type, 10),
      wish(type, 40),
    ]);
    assert.deepEqual(countWishes(wishes, had, could), { granted: 1, refused: 1, kept: 1, broken: 1 });
  });
});
