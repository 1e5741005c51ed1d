import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { inLanguage, speechOfPerson } from './ambient.ts';
import { languageOf, locale, type Speech, speakWith, speechOf, t, tIn, tParts } from './contract.ts';

describe('texts', () => {
  let speech: Speech = speechOf('en', {});
  // Other files of this process have texts of their own.
  before(() => speakWith(() => speech));
  after(() => speakWith(speechOfPerson));
  afterEach(() => {
    speech = speechOf('en', {});
  });

  it('are shown in English without a translation', () => {
    speech = speechOf('de', { Save: '' });
    assert.equal(t('Save'), 'Save');
    assert.equal(t('{count, plural, one {# page} other {# pages}}', { count: 2 }), '2 pages');
  });

  it('are translated with the plurals and numbers of the language', () => {
    speech = speechOf('de', {
      Save: 'Speichern',
      '{count, plural, one {# page} other {# pages}}': '{count, plural, one {# Seite} other {# Seiten}}',
    });
    assert.equal(t('Save'), 'Speichern');
    assert.equal(t('{count, plural, one {# page} other {# pages}}', { count: 1 }), '1 Seite');
    assert.equal(t('{count, plural, one {# page} other {# pages}}', { count: 12_345 }), '12.345 Seiten');
    assert.equal(locale(), 'de');
  });

  it('with names alone are filled in as the library would', () => {
    for (const language of ['de', 'fr', 'es', 'pt-BR', 'ja'])
      for (const file of ['dashboard', 'service']) {
        const path = new URL(`../../languages/${language}/${file}.json`, import.meta.url);
        for (const text of Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)) {
          const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
          if (names.length === 0 || /<|\{\w+,/.test(text)) continue;
          for (const value of ['{b} $& <i>', 12_345, 0]) {
            const values = Object.fromEntries(names.map((name) => [name, value]));
            const expected = new IntlMessageFormat(text, language).format(values);
            assert.equal(t(text, values), expected, text);
          }
        }
      }
    assert.equal(t("'{a}' {a}", { a: 1 }), '{a} 1');
    assert.throws(() => t('{a} {b}', { a: 1 }), /"b" was not provided/);
  });

  it('without arguments are shown unchanged, including braces', () => {
    assert.equal(t('{name} <b>'), '{name} <b>');
  });

  it('are shown in English if the translation is invalid, so that a page is sent', () => {
    speech = speechOf('de', {
      'Page of {team}': 'Alarmierung von {team',
      'Page for {who}': 'Alarmierung für {wen}',
      'Open <link>it</link>': '<link>Öffnen',
    });
    assert.equal(t('Page of {team}', { team: 'SRE' }), 'Page of SRE');
    assert.equal(t('Page for {who}', { who: 'Ada' }), 'Page for Ada');
    const link = (parts: string[]) => `[${parts.join('')}]`;
    assert.equal(tParts<string>('Open <link>it</link>', { link }).join(''), 'Open [it]');
  });

  it('have a translation for each context, and never show the context', () => {
    speech = speechOf('de', { 'Open [[verb]]': 'Öffnen' });
    assert.equal(tIn('verb', 'Open'), 'Öffnen');
    assert.equal(tIn('state', 'Open'), 'Open');
  });

  it('with tags are returned in parts, in the order of the translation', () => {
    speech = speechOf('de', { '<link>Open</link> it at {when}': 'Um {when} <link>öffnen</link>' });
    const link = (parts: string[]) => `[${parts.join('')}]`;
    assert.equal(
      tParts<string>('<link>Open</link> it at {when}', { link, when: '05:36' }).join(''),
      'Um 05:36 [öffnen]',
    );
  });
});

describe('the language', () => {
  it('is the first of the tags that is supported, whatever its region', () => {
    assert.equal(languageOf(['nl', 'de-AT', 'fr'], ['en', 'de', 'fr']), 'de');
    assert.equal(languageOf(['pt'], ['en', 'pt-BR']), 'pt-BR');
    assert.equal(languageOf(['de'], ['en']), 'en');
    assert.equal(languageOf([], ['en', 'de']), 'en');
  });

  it('follows the person for whom the code runs, even after waiting', async () => {
    const { speechOfPerson } = await import('./ambient.ts');
    const later = (language: 'de' | 'fr') =>
      inLanguage(language, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return speechOfPerson().locale;
      });
    assert.deepEqual(await Promise.all([later('de'), later('fr')]), ['de', 'fr']);
    assert.equal(speechOfPerson().locale, 'en');
  });
});
