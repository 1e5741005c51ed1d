import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import { ENGLISH, type Language, type Speech, speakWith, speechOf, type Translations } from './contract.ts';

/**
 * The language of the person whom the running code writes to or answers. Texts are made deep inside pure rules, and a
 * language passed through all of them would be a parameter of half of the service (decision 0250).
 */
const ambient = new AsyncLocalStorage<Language>();
const FOLDER = new URL('../../languages/', import.meta.url);
const FILES = ['dashboard', 'service', 'stored'] as const;
const speeches = new Map<Language, Speech>([['en', ENGLISH]]);

speakWith(speechOfPerson);

/** Runs `work`, and everything that it starts, in a language. */
export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return ambient.run(language, work);
}

/** The language of the running code, for a thread that continues in it; English outside of `inLanguage`. */
export function languageHere(): Language {
  return ambient.getStore() ?? 'en';
}

/** The speech of the running code; English outside of `inLanguage`. */
export function speechOfPerson(): Speech {
  return speechIn(languageHere());
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
    warnOf(language, error);
    return ENGLISH;
  }
}

function warnOf(language: Language, error: unknown): void {
  process.emitWarning(
    `The texts in languages/${language} cannot be read, and English is used instead; install Tocsin again: ${(error as Error).message}`,
  );
}

/** The English messages of `stored`, which every language has in a file of their own; none when the file is damaged. */
export function storedMessages(): readonly string[] {
  return messagesIn('stored');
}

function messagesIn(file: (typeof FILES)[number]): readonly string[] {
  try {
    return Object.keys(read('de', file));
  } catch (error) {
    warnOf('de', error);
    return [];
  }
}

/** The messages of problems with fields: those that continue the name of a field, and their values. */
export function detailMessages(): readonly string[] {
  const messages = [...storedMessages(), ...messagesIn('service')];
  return messages.filter(
    (message) =>
      /^["{\p{Ll}]/u.test(message) &&
      !/\{\w+,/.test(message) &&
      // A message without a word, such as `{one}, {other}`, would fit too much.
      /\p{L}{2}/u.test(message.replace(/\{\w+\}| \[\[.*/g, '')),
  );
}

/** Texts of contracts are in the file of the dashboard, which shows them too. */
function readTranslations(language: Language): Translations {
  return Object.assign({}, ...FILES.map((name) => read(language, name)));
}

function read(language: Language, name: (typeof FILES)[number]): Translations {
  const file = new URL(`${language}/${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Translations) : {};
}
