import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messagesOf } from './languages/messages.ts';
import { textsOutside, wordsOfStyles } from './languages/outside.ts';
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

  it('that are stored have a file of their own, and no plurals', () => {
    assert.deepEqual(messagesOf('a.ts', `stored('Gone'); t('Here');`).messages, [
      { key: 'Gone', place: 'a.ts:1', isStored: true },
      { key: 'Here', place: 'a.ts:1', isStored: false },
    ]);
    assert.deepEqual(messagesOf('a.ts', `stored('{n, plural, one {#} other {#}}');`).errors, [
      'a.ts:1: a stored message cannot have plurals; make two messages.',
    ]);
  });

  it('are refused with their place if they cannot be extracted', () => {
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

describe('a text outside of the catalogue', () => {
  const lines = (code: string) => textsOutside('web/src/a.tsx', code).map((error) => error.split(':')[1]);

  it('is found between tags, with its place', () => {
    assert.deepEqual(textsOutside('web/src/a.tsx', 'const a = (\n  <p>\n    Saved\n  </p>\n);'), [
      "web/src/a.tsx:3: this text is outside of the catalogue; put it into t('…') or <Rich>.",
    ]);
    assert.equal(lines("const a = <p>{on ? 'on' : t('off')}</p>").length, 1);
    assert.equal(lines('const a = <>{name && `by ${name}`}</>').length, 1);
    assert.equal(lines("const a = <p>{name ?? 'nobody'}</p>").length, 1);
  });

  it('is found in attributes and properties that people read, and in messages', () => {
    assert.equal(lines("const a = { value: 'hard', label: 'Away' };").length, 1);
    assert.equal(lines('const a = <input aria-label="Name" />').length, 1);
    assert.equal(lines("const a = <A title={again ? `Page ${name}` : 'x'} />").length, 1);
    assert.equal(lines("showToast('Saved.')").length, 1);
    assert.equal(lines("throw new Error('Nothing was changed.')").length, 1);
  });

  it('is not reported if it is in the catalogue, or code, a name, an example or no word', () => {
    for (const code of [
      'const a = <p className="muted">{t(\'Saved\')} · {name}</p>',
      '<Rich text="See <a>it</a>" a={b} />',
      '<code>tocsin oncall</code>',
      '<kbd>Alt</kbd>',
      '<span className="kbd count">Esc</span>',
      '<b>Tocsin {version}</b>',
      '<input placeholder="ada@example.com" name="email" />',
      "<p>{`${from} – ${to}`}{' · '}</p>",
    ])
      assert.deepEqual(lines(code), [], code);
  });

  it('is found in a style sheet, unless it is only a sign', () => {
    assert.deepEqual(wordsOfStyles('web/src/a.css', '.a {}\n.a::after { content: "Show"; }'), [
      "web/src/a.css:2: a style sheet cannot show words; put t('…') into the view.",
    ]);
    assert.deepEqual(
      wordsOfStyles(
        'web/src/a.css',
        '.a::before { content: " · "; }\n.b::after { content: attr(data-was); }',
      ),
      [],
    );
  });
});
