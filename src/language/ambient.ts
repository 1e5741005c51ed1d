import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import { ENGLISH, type Language, type Speech, speakWith, speechOf, type Translations } from './contract.ts';

/**
 * The language of the person whom the running code writes to or answers. Texts are made deep inside pure rules, and a
 * language passed through all of them would be a parameter of half of the service (decision 0250).
 */
const ambient = new AsyncLocalStorage<Language>();
const FOLDER = new URL('../../languages/', import.meta.url);
const FILES = ['dashboard', 'service'] as const;
const speeches = new Map<Language, Speech>([['en', ENGLISH]]);

speakWith(speechOfPerson);

/** Runs `work`, and everything that it starts, in a language. */
export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return ambient.run(language, work);
}

/** The speech of the running code; English outside of `inLanguage`. */
export function speechOfPerson(): Speech {
  return speechIn(ambient.getStore() ?? 'en');
}

function speechIn(language: Language): Speech {
  const made = speeches.get(language) ?? readSpeech(language);
  speeches.set(language, made);
  return made;
}

/**
 * A damaged file must not prevent a page from being sent, so its language falls back to English until the next start.
 */
function readSpeech(language: Language): Speech {
  try {
    return speechOf(language, readTranslations(language));
  } catch (error) {
    process.emitWarning(
      `The texts in languages/${language} cannot be read, and English is used instead; install Tocsin again: ${(error as Error).message}`,
    );
    return ENGLISH;
  }
}

/** Texts of contracts are in the file of the dashboard, which shows them too. */
function readTranslations(language: Language): Translations {
  const read = FILES.map((name) => new URL(`${language}/${name}.json`, FOLDER))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Translations);
  return Object.assign({}, ...read);
}
