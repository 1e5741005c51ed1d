import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SourceRule } from '../../../src/sources/contract.ts';
import { completeRules, moved, newRule, rulesOf, ruleValues } from './rule-values.ts';

const urgency = fc.constantFrom('low' as const, 'medium' as const, 'high' as const);
const wait_minutes = fc.nat(1_440);
const then: fc.Arbitrary<SourceRule['then']> = fc.oneof(
  fc.constant({ ignore: true }),
  fc.constant({ urgency: 'none' as const }),
  fc.record(
    { team: fc.constant('web'), urgency, stage: fc.nat(9), wait_minutes },
    { requiredKeys: [], noNullPrototype: true },
  ),
  fc.record(
    { person: fc.constant('ada@example.com'), urgency, wait_minutes },
    { requiredKeys: ['person'], noNullPrototype: true },
  ),
);
const match = fc.array(fc.constantFrom('a=b', 'severity!=info', 'title=~.*disk.*'), {
  minLength: 1,
  maxLength: 3,
});
const rules: fc.Arbitrary<SourceRule[]> = fc.array(fc.record({ match, then }, { noNullPrototype: true }), {
  maxLength: 5,
});

describe('the values of the form of rules', () => {
  it('return the original rules', () => {
    fc.assert(fc.property(rules, (given) => assert.deepEqual(rulesOf(ruleValues(given)), given)));
  });

  it('move one rule, keep all of them, and stay at an end', () => {
    fc.assert(
      fc.property(rules, fc.nat(5), fc.constantFrom(-1 as const, 1 as const), (given, index, by) => {
        const values = ruleValues(given);
        const after = moved(values, index, by);
        const isInside = index < values.length && index + by >= 0 && index + by < values.length;
        if (!isInside) return assert.deepEqual(after, values);
        assert.equal(after[index + by], values[index]);
        assert.deepEqual(moved(after, index + by, by === 1 ? -1 : 1), values);
      }),
    );
  });

  it('leave out all rules from the first incomplete one on', () => {
    const [one] = ruleValues([{ match: ['a=b'], then: { ignore: true } }]);
    assert.ok(one);
    const blank = newRule([one]);
    assert.notEqual(blank.key, one.key);
    assert.deepEqual(completeRules([one, blank, one]), [one]);
    assert.deepEqual(completeRules([one, { ...blank, matchers: [' ', 'a=b'] }]).length, 2);
    assert.deepEqual(completeRules([{ ...blank, matchers: ['a=b'], to: 'team' }]), []);
    assert.deepEqual(completeRules([{ ...blank, matchers: ['a=b'], to: 'person', person: 'a@b' }]).length, 1);
  });

  it('leave out blank matchers', () => {
    assert.deepEqual(rulesOf([{ ...newRule([]), matchers: ['', ' a=b '] }]), [
      { match: ['a=b'], then: { urgency: 'high' } },
    ]);
  });
});
