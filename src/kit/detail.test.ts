import assert from 'node:assert/strict';
import { it } from 'node:test';
import { saidOfField } from '../language/sentence-contract.ts';
import { sentence, sentences } from './detail-contract.ts';

it('makes every message a sentence that stands alone', () => {
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

it('joins the field and a message of another language, with a blank or with a Japanese particle', () => {
  const cases = [
    [
      'name',
      'ist leer; gib einen Namen an',
      'name ist leer; gib einen Namen an.',
      'ist leer; gib einen Namen an.',
    ],
    ['name', 'é obrigatório', 'name é obrigatório.', 'é obrigatório.'],
    [
      'name',
      'が空です。名前を指定してください',
      'nameが空です。名前を指定してください。',
      'が空です。名前を指定してください。',
    ],
    ['url', 'とicsのどちらかが必要です', 'urlとicsのどちらかが必要です。', 'とicsのどちらかが必要です。'],
    ['key', 'Bitte melde dich erneut an.', 'Bitte melde dich erneut an.', null],
    ['key', '再認証してください。', '再認証してください。', null],
    ['key', '続けますか？', '続けますか？', null],
  ] as const;
  for (const [field, message, expected, said] of cases) {
    assert.equal(sentence({ field, message }), expected);
    assert.equal(sentence({ field, message: expected }), expected, 'a sentence stays as it is');
    assert.equal(saidOfField(field, expected), said);
  }
  assert.equal(saidOfField('name', 'names nobody.'), null, 'another word that begins with the field');
});
