import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../testing/code-point.ts';
import { phoneMethod } from '../notifications/channels/phone/method.ts';
import { emailKey, isEmail } from './email.ts';

describe('phone numbers', () => {
  it('become E.164, however people write them', () => {
    for (const text of ['+15005550006', '+1 500 555 0006', '+1 (500) 555-0006', ' +1-500-555-0006 '])
      assert.deepEqual(phoneMethod.value(text, false), { value: '+15005550006' });
    assert.deepEqual(phoneMethod.value('+49 (0)30 901820', false), { value: '+4930901820' });
  });

  it('that nobody can dial are refused with the reason and an example', () => {
    const refused: [string, RegExp][] = [
      ['15005550006', /does not start with \+/],
      ['030 901820', /does not start with \+/],
      ['+999123456', /country code that does not exist/],
      ['+4930', /too few or too many digits/],
      ['+1500555000600000', /too few or too many digits/],
      ['+15005550006 ext. 5', /extension/],
      ['+', /not a phone number|too few/],
      ['', /does not start/],
    ];
    for (const [text, reason] of refused) {
      const reading = phoneMethod.value(text, false);
      assert.ok('problem' in reading, `${text} was accepted`);
      assert.match(reading.problem, reason);
      assert.match(reading.problem, /\+49301234567/);
    }
  });

  it('of any text are read or refused, and never cause an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: CODE_POINT }), fc.stringMatching(/^\+[0-9 ()-]{0,30}$/)),
        (text) => {
          const reading = phoneMethod.value(text, false);
          if ('value' in reading) assert.match(reading.value, /^\+[1-9]\d{3,14}$/);
        },
      ),
    );
  });
});

describe('email addresses', () => {
  it('need one @ and a host', () => {
    for (const email of ['ada@example.com', 'a.b+c@sub.example.co.uk', 'root@localhost', 'jürgen@müller.de'])
      assert.ok(isEmail(email), email);
  });

  it('that mail cannot reach, or that contain extra data, are refused', () => {
    const refused = [
      '',
      'ada',
      '@x.com',
      'ada@',
      'a b@x.com',
      'a@b@c',
      'ada@x..com',
      'ada@-x.com',
      'ada@x.com\nBcc: y',
    ];
    refused.push('Ada <ada@x.com>', 'ada@x.com,eve@y.com', `${'a'.repeat(250)}@x.com`, 'ada@x.com\u0000');
    for (const email of refused) assert.ok(!isEmail(email), email);
  });

  it('are checked in linear time', () => {
    const from = performance.now();
    isEmail(`a@${'a-'.repeat(120)}`);
    isEmail(`a@${'a.'.repeat(120)}!`);
    assert.ok(performance.now() - from < 5_000);
  });

  it('are compared without case', () => {
    assert.equal(emailKey(' Ada@Example.COM'), 'ada@example.com');
  });
});
