import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inLanguage, storedMessages } from './ambient.ts';
import { LANGUAGES, type Language, stored, type Translations } from './contract.ts';
import { storedText } from './stored.ts';
import { valuesIn } from './stored-form-contract.ts';

const inGerman = (text: string) => inLanguage('de', () => storedText(text));

describe('a stored text', () => {
  it('is shown in the language of its reader, with its values', () => {
    const text = stored('{host} answered with status {status}', { host: 'cal.example.com', status: 503 });
    assert.equal(text, 'cal.example.com answered with status 503');
    assert.equal(storedText(text), text);
    assert.equal(inGerman(text), 'cal.example.com antwortete mit Status 503');
  });

  it('can be a value of another, also where a clause became a sentence', () => {
    assert.equal(
      inGerman('The calendar Urlaub with absences cannot be read: cal.example.com answered with status 503.'),
      'Der Kalender Urlaub, aus dem Abwesenheiten kommen, kann nicht gelesen werden: cal.example.com antwortete mit Status 503.',
    );
    assert.equal(
      inGerman('The certificate of mail.example.com is not valid yet; check the dates of both machines.'),
      'Das Zertifikat von mail.example.com ist noch nicht gültig; prüfe das Datum beider Rechner.',
    );
  });

  it('that no message says stays as it is, and so do names and very long texts', () => {
    for (const text of ['550 5.1.1 Mailbox unknown', 'Settings', '', 'x'.repeat(5_000)])
      assert.equal(inGerman(text), text);
  });

  it('is translated for every message, in every language, whatever its values are', () => {
    const value = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[.;:{}]/.test(text));
    const languages = LANGUAGES.filter((language) => language !== 'en');
    fc.assert(
      fc.property(
        fc.constantFrom(...storedMessages()),
        fc.constantFrom(...languages),
        value,
        (message, language, one) => {
          const names = [...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))];
          const text = stored(message, Object.fromEntries(names.map((name) => [name, one])));
          const said = inLanguage(language, () => storedText(text));
          const own = translationsOf(language)[message] ?? '';
          assert.ok(own !== '', `${language}: ${message}`);
          // A message that only joins others, such as `{one} and {two}.`, is translated only with values that are messages.
          const words = message.replaceAll(/\{\w+\}/g, ' ');
          const isJoin =
            names.length > 0 && !/\p{L}{4}/u.test(words) && (words.match(/\p{L}/gu) ?? []).length < 6;
          if (own !== message && !isJoin) assert.notEqual(said, text);
          if (!isJoin) return;
          const known = storedMessages().find((text) => !/[.;:{}]/.test(text)) ?? '';
          const joined = stored(message, Object.fromEntries(names.map((name) => [name, known])));
          assert.notEqual(
            inLanguage(language, () => storedText(joined)),
            joined,
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function translationsOf(language: Language): Translations {
  return JSON.parse(
    readFileSync(new URL(`../../languages/${language}/stored.json`, import.meta.url), 'utf8'),
  );
}

describe('the values of a message', () => {
  const form = { parts: ['The disk of ', ' has ', ' MiB free'], names: ['disk', 'free'] };

  it('are what stands between its parts', () => {
    assert.deepEqual(valuesIn('The disk of /data has 12 MiB free', form), ['/data', '12']);
    assert.deepEqual(valuesIn('The disk of a has b has 12 MiB free', form), ['a', 'b has 12']);
    assert.equal(valuesIn('The disk of /data has 12 MiB free.', form), null);
    assert.equal(valuesIn('The disk of  has 12 MiB free', form), null);
  });

  it('are the same wherever the message names one twice', () => {
    const twice = { parts: ['', ' and ', ''], names: ['it', 'it'] };
    assert.deepEqual(valuesIn('a and a', twice), ['a', 'a']);
    assert.equal(valuesIn('a and b', twice), null);
  });
});
