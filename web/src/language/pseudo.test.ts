import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { pseudo } from './pseudo.ts';

describe('the made-up language', () => {
  it('accents every letter, and is a third longer', () => {
    assert.equal(pseudo('Save'), '⟦Šávé~~⟧');
  });

  it('leaves arguments, tags and the words of plurals alone', () => {
    assert.equal(pseudo('by {name}').slice(1, 10), 'ƀý {name}');
    assert.equal(pseudo('<link>all</link>').slice(1, 17), '<link>áłł</link>');
    const text = pseudo('{count, plural, one {# page} other {# pages}} left');
    assert.match(String(new IntlMessageFormat(text, 'en').format({ count: 2 })), /^⟦2 páĝéš łéƒ?/u);
  });

  it('shows no context', () => {
    assert.equal(pseudo('Open [[verb]]'), '⟦Öpéñ~~⟧');
  });
});
