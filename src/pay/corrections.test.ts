import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { differencesOf, type Paid } from './corrections.ts';
import { amountText } from './money.ts';

const statement = (periodId: string, amount: bigint, corrections: Paid['corrections'] = []): Paid => ({
  ...{ periodId, userId: 'ada', tableId: 'de', amount, corrections },
});

it('contain only differences that were not corrected yet', () => {
  const period = { id: 'october', first: '2026-10-01', last: '2026-10-31' };
  const paid = [statement('october', 10_000n), statement('november', 5_000n, [{ period, amount: '-20.00' }])];
  assert.deepEqual(differencesOf('october', paid, new Map([['ada de', 8_000n]])), []);
  assert.deepEqual(differencesOf('october', paid, new Map([['ada de', 8_500n]])), [
    { key: 'ada de', published: 8_000n, now: 8_500n },
  ]);
  assert.deepEqual(differencesOf('october', paid, new Map()), [
    { key: 'ada de', published: 8_000n, now: 0n },
  ]);
});

it('add up with all payments to the correct amount', () => {
  const changes = fc.array(fc.bigInt({ min: -100_000n, max: 1_000_000n }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(changes, (dues) => {
      const period = { id: '0', first: '2026-10-01', last: '2026-10-31' };
      const paid = [statement('0', 12_345n)];
      for (const [index, due] of dues.entries()) {
        const [difference] = differencesOf('0', paid, new Map([['ada de', due]]));
        const correction = (difference?.now ?? due) - (difference?.published ?? due);
        paid.push(
          statement(
            `${index + 1}`,
            0n,
            correction === 0n ? [] : [{ period, amount: amountText(correction, 2) }],
          ),
        );
        assert.deepEqual(differencesOf('0', paid, new Map([['ada de', due]])), []);
      }
    }),
  );
});
