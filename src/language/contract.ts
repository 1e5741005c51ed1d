import { IntlMessageFormat } from 'intl-messageformat';

/**
 * The languages of texts for people. Messages in the code are English and in ICU syntax; each is also the key of its
 * translations in `languages/`. docs/languages.md says how to add a text or a language.
 */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages that people can choose. A text that is not translated yet is shown in English. */
export const OFFERED: readonly Language[] = [...LANGUAGES];

/** Each language by its own name, so that everybody finds theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
};

/** Translations by English message. A message that is missing, or empty, is shown in English. */
export type Translations = Readonly<Record<string, string>>;

export type Speech = {
  /** A BCP 47 tag for plurals and numbers. */
  locale: string;
  translate(message: string): string;
};

export const ENGLISH: Speech = { locale: 'en', translate: (message) => message };

/** The speech of a language with these translations. */
export function speechOf(locale: string, translations: Translations): Speech {
  return { locale, translate: (message) => translations[message] || message };
}

let current: () => Speech = () => ENGLISH;

/** Sets where `t` finds the language: the dashboard has one for as long as it is open, the service one for each person. */
export function speakWith(source: () => Speech): void {
  current = source;
}

/** The locale of the texts that `t` returns now, for names of days and for numbers. */
export function locale(): string {
  return current().locale;
}

export type Values = Readonly<Record<string, string | number | Date>>;

/**
 * A text in the current language. `message` is a literal, so that it can be extracted. With `values`, it is an ICU
 * message: `t('{count, plural, one {# page} other {# pages}}', { count })`; without, it is shown unchanged. Use whole
 * sentences, because joined parts cannot be translated.
 */
export function t(message: string, values?: Values): string {
  const text = current().translate(message);
  return values ? filledIn(text, message, values) : text;
}

/**
 * A text whose English has several meanings: `tIn('an open page', 'Open')`. The context is not shown; translators see it, and
 * the key of the translation is `Open [[an open page]]`.
 */
export function tIn(context: string, message: string, values?: Values): string {
  const key = `${message} [[${context}]]`;
  const found = current().translate(key);
  const text = found === key ? message : found;
  return values ? filledIn(text, message, values) : text;
}

/** A word that the catalogue has for another view, such as `Team` as the name of a field; in English if it has none. */
export function translated(word: string): string {
  return current().translate(word);
}

/**
 * A text that is stored and shown later to people of several languages: English, with its values in place of `{name}`, and
 * without plurals. Who shows it passes it through `storedText` (decision 0315). `message` is a literal of the catalogue.
 */
export function stored(message: string, values: Readonly<Record<string, string | number>> = {}): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export type Part = string | number | boolean | Date | object | null | undefined;
/** Wraps the parts between `<name>` and `</name>`. */
export type Wrap<Whole> = (parts: Whole[]) => Whole;

/** The parts of a message with tags, such as `Open <link>the page</link>`, in the current language. */
export function tParts<Whole extends Part>(
  message: string,
  values: Readonly<Record<string, Whole | Wrap<Whole> | Values[string]>>,
): Whole[] {
  const parts = formatted(current().translate(message), message, (format) =>
    format.format<Whole>(values as Record<string, Whole>),
  );
  return (Array.isArray(parts) ? parts : [parts]) as Whole[];
}

/** `Ada, Ben and Cy`: names or words as the current language joins them. English joins them as in Britain, like its dates. */
export function listed(items: readonly string[], join: 'and' | 'or' = 'and'): string {
  return listFormat(join).format(items);
}

/** `Ada, Ben, Cy`: names or facts after each other, with the comma of the current language. */
export function commas(items: readonly string[]): string {
  // The first two of three are joined by the comma alone; Japanese has its own.
  const comma = listFormat('and')
    .formatToParts(['a', 'b', 'c'])
    .find(({ type }) => type === 'literal')?.value;
  return items.join(comma ?? ', ');
}

/** By locale and word: one for each language and each of the two words. */
const listFormats = new Map<string, Intl.ListFormat>();

function listFormat(join: 'and' | 'or'): Intl.ListFormat {
  const tag = locale();
  const known = listFormats.get(`${tag} ${join}`);
  if (known) return known;
  const type = join === 'and' ? 'conjunction' : 'disjunction';
  const made = new Intl.ListFormat(tag === 'en' ? 'en-GB' : tag, { type });
  listFormats.set(`${tag} ${join}`, made);
  return made;
}

/** Compares two names in the order of the current language, for `sort`. */
export function byName(a: string, b: string): number {
  return a.localeCompare(b, locale());
}

/** Names in braces and nothing else of the syntax, as in four of five messages with values. */
const NAMES_ALONE = /^[^{}<']*(?:\{\w+\}[^{}<']*)+$/;

/** For names alone, the library takes a phone some tenths of a millisecond more for each message. */
function filledIn(text: string, message: string, values: Values): string {
  const isPlain = (name: string) => ['string', 'number'].includes(typeof values[name]);
  if (NAMES_ALONE.test(text) && [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => isPlain(name)))
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  return String(formatted(text, message, (format) => format.format(values)));
}

const KEPT = 2_000;
const formats = new Map<string, IntlMessageFormat>();

/** A mistake in a translation must not prevent a page from being sent, so the English message is used instead. */
function formatted<Result>(
  text: string,
  message: string,
  use: (format: IntlMessageFormat) => Result,
): Result {
  try {
    return use(formatOf(locale(), text));
  } catch (error) {
    if (text === message) throw error;
    return use(formatOf('en', message));
  }
}

/** Messages are parsed once; the number of cached ones is limited. */
function formatOf(locale: string, text: string): IntlMessageFormat {
  const key = `${locale} ${text}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= KEPT) formats.clear();
  const made = new IntlMessageFormat(text, locale);
  formats.set(key, made);
  return made;
}

/** The first of these tags (such as those of a browser) that is one of the `offered` languages, or English. */
export function languageOf(tags: readonly string[], offered: readonly Language[] = OFFERED): Language {
  for (const tag of tags) {
    const base = tag.toLowerCase().split('-')[0];
    const found = offered.find((one) => one.toLowerCase().split('-')[0] === base);
    if (found) return found;
  }
  return 'en';
}
