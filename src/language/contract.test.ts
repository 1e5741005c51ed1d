import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
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
