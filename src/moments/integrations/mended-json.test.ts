import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../testing/code-point.ts';
import { mendedJson } from './mended-json.ts';

describe('JSON from a template', () => {
  it('is repaired if strings contain raw line breaks and lone backslashes', () => {
    const text = '{"error": "line 1\nline\t2 C:\\data\\x \\"quoted\\"", \n "n": 1}';
    assert.throws(() => JSON.parse(text));
    assert.deepEqual(JSON.parse(mendedJson(text) ?? ''), {
      error: 'line 1\nline\t2 C:\\data\\x "quoted"',
      n: 1,
    });
  });

  it('does not change if it is valid', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.equal(mendedJson(text), null)));
  });

  it('has every control character escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (value) => {
        const raw = `{"a": "${value.replaceAll('"', '').replaceAll('\\', '')}"}`;
        assert.ok(JSON.parse(mendedJson(raw) ?? raw));
      }),
    );
  });
});
