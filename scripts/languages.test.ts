import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messagesOf } from './languages/messages.ts';
import { flawOf } from './languages/translations.ts';

describe('the messages of a file', () => {
  const keys = (code: string) => messagesOf('a.tsx', code).messages.map(({ key }) => key);

  it('are the literals of t, tIn and Rich', () => {
    assert.deepEqual(keys(`t('Save'); tIn('verb', "Open"); const a = <Rich text="See <a>it</a>" a={b} />;`), [
      'Save',
      'Open [[verb]]',
      'See <a>it</a>',
    ]);
  });

  it('are both sides of a choice', () => {
    assert.deepEqual(keys(`t(again ? 'Page again' : 'Page')`), ['Page again', 'Page']);
  });

  it('are refused with their place when they cannot be extracted', () => {
    assert.deepEqual(messagesOf('a.ts', `\n\nt(text);`).errors, [
      'a.ts:3: the message is not a literal, so it cannot be extracted.',
    ]);
    assert.equal(messagesOf('a.ts', 't(`Page ${name}`)').errors.length, 1);
  });
});

describe('a translation', () => {
  it('has the arguments and tags of its message', () => {
    assert.equal(flawOf('By {name}', 'Von {name}'), null);
    assert.equal(flawOf('By {name}', 'Von {nahme}'), 'The translation lacks {name}.');
    assert.equal(
      flawOf('Saved', 'Von {name} gespeichert'),
      'The translation has {name}, which the message has not.',
    );
    assert.equal(flawOf('<a>All</a>', 'Alle'), 'The translation lacks <a>.');
    assert.equal(flawOf('Open [[verb]]', 'Öffnen'), null);
  });

  it('is valid', () => {
    assert.equal(
      flawOf('{n, plural, other {#}}', '{n, plural, other {#}'),
      'The translation is not valid ICU syntax.',
    );
  });
});
