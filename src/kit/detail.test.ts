import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sentence, sentences } from './detail-contract.ts';

it('makes every message a sentence that can be read alone', () => {
  const cases = [
    ['title', 'is missing; give a text', 'title is missing; give a text.'],
    ['titel', 'is not a field; did you mean title?', 'titel is not a field; did you mean title?'],
    ['title', 'title is missing.', 'title is missing.'],
    ['key', 'Re-authenticate, then try again.', 'Re-authenticate, then try again.'],
    ['email', '"ada" has no @; give an address', '"ada" has no @; give an address.'],
  ] as const;
  for (const [field, message, expected] of cases) {
    assert.equal(sentence({ field, message }), expected);
    assert.equal(sentence({ field, message: expected }), expected, 'a sentence stays as it is');
  }
  assert.equal(
    sentences([cases[0], cases[2], cases[3]].map(([field, message]) => ({ field, message }))),
    'title is missing; give a text. title is missing. Re-authenticate, then try again.',
  );
});
