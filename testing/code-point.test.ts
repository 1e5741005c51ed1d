import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from './code-point.ts';

test('a code point is any character, and never half of one', () => {
  for (const character of ['\0', 'a', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}'])
    assert.ok(CODE_POINT.canShrinkWithoutContext(character), JSON.stringify(character));
  for (const other of ['', 'ab', '\ud800', '\udfff', 7, undefined])
    assert.ok(!CODE_POINT.canShrinkWithoutContext(other), JSON.stringify(other));
  fc.assert(fc.property(CODE_POINT, (one) => [...one].length === 1 && one.isWellFormed()));
});

test('a failing text of code points is shrunk to a short and plain one', () => {
  const { counterexample } = fc.check(
    fc.property(fc.string({ unit: CODE_POINT }), (text) => !/[\u{10000}-\u{10ffff}]/u.test(text)),
    { seed: 7, numRuns: 1_000 },
  );
  assert.deepEqual(counterexample, ['\u{10000}']);
});
