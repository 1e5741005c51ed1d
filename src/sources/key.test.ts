import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIALECTS } from './contract.ts';
import { keyProblem, lastCharacters, makeKey } from './key.ts';

describe('the key of a dialect', () => {
  it('has the format of its product, and is never the same', () => {
    assert.match(makeKey('pagerduty-events'), /^[0-9a-f]{32}$/);
    assert.match(makeKey('opsgenie-api'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    for (const dialect of DIALECTS) {
      assert.equal(keyProblem(dialect, makeKey(dialect)), null, dialect);
      assert.notEqual(makeKey(dialect), makeKey(dialect), dialect);
    }
  });

  it('may be one of the old system, if it looks like one', () => {
    assert.equal(keyProblem('pagerduty-events', 'R0ABCDEFGHIJKLMNOPQRSTUVWXYZ0123'), null);
    assert.equal(keyProblem('opsgenie-api', '01234567-89AB-CDEF-0123-456789ABCDEF'), null);
    assert.equal(keyProblem('grafana-oncall', 'aB3dE5gH7jK9mN1pQ3sT5vW7y'), null);
    for (const dialect of DIALECTS)
      for (const wrong of ['', 'short', 'with blanks in it, and long enough', `${'x'.repeat(20)}/alerts`]) {
        const problem = keyProblem(dialect, wrong) ?? assert.fail(`${dialect} takes ${wrong}`);
        assert.ok(wrong === '' || !problem.includes(wrong), 'the key is not repeated');
      }
  });

  it('is recognized by its end', () => {
    assert.equal(lastCharacters('0123456789abcdef0123456789abcdef'), 'cdef');
  });
});
