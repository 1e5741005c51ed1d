import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorCode, errorText } from './error-text.ts';

describe('the text of anything that was thrown', () => {
  it('contains its message and those of wrapped errors, once each', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const cases: [unknown, string][] = [
      [new Error('The disk is full.'), 'The disk is full'],
      ['it broke', 'it broke'],
      [new TypeError('fetch failed', { cause: refused }), refused.message],
      [new AggregateError([refused, new Error('connect ECONNREFUSED ::1:5432')]), refused.message],
      [new Error('0231 failed', { cause: new Error('syntax error') }), '0231 failed: syntax error'],
      [new Error('a: b', { cause: new Error('b') }), 'a: b'],
      [{ message: 'no such user', code: 7 }, 'no such user'],
      [{ error: 'invalid_grant', error_description: 'expired' }, 'invalid_grant'],
      [{ status: 500 }, '{"status":500}'],
      [Object.assign(new Error(''), { code: 'EPIPE' }), 'EPIPE'],
      [new RangeError(), 'RangeError'],
      [new Error(`${{}}`), 'the details cannot be shown'],
      [new Error('two\nlines\0'), 'two lines'],
      ...[undefined, null, '', {}, [], Object.create(null)].map((value): [unknown, string] => [
        value,
        'no reason was given',
      ]),
    ];
    for (const [thrown, text] of cases) assert.equal(errorText(thrown), text);
    assert.equal(
      errorCode(new TypeError('fetch failed', { cause: new AggregateError([refused]) })),
      'ECONNREFUSED',
    );
  });

  it('stays short for errors that wrap each other or are long', () => {
    const round = new Error('round');
    round.cause = round;
    assert.equal(errorText(round), 'round');
    assert.ok(errorText(new Error('x'.repeat(1_000_000))).length <= 502);
    let deep = new Error('innermost');
    for (let level = 0; level < 10_000; level++) deep = new Error(`level ${level}`, { cause: deep });
    assert.ok(errorText(deep).length <= 502);
  });
});
