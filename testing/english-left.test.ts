import assert from 'node:assert/strict';
import { it } from 'node:test';
import { englishTexts } from './english-left.ts';

it('English texts of the catalogue are recognized, with arguments, plurals and tags', () => {
  const german = englishTexts('de');
  for (const text of ['Acknowledge', 'Nobody is on call.', 'Search title and text', '3 attempts'])
    assert.equal(german.has(text), true, text);
  assert.equal(german.has('3 weeks, hand-off'), false);
  assert.equal(german.has('Reported again since:'), true);
});

it('translations and texts of people are not taken for English', () => {
  const german = englishTexts('de');
  for (const text of ['Bestätigen', 'Team', 'Webhook', 'Ada Lovelace', 'Checkout returns 500 in eu-west-1'])
    assert.equal(german.has(text), false, text);
  assert.equal(englishTexts('en').has('Acknowledge'), false);
});
