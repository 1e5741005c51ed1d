import { readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Language, Translations } from '../src/language/contract.ts';

/** Recognizes English texts of the catalogue that a language has a translation for. */
export type EnglishTexts = { has(text: string): boolean };

/** A message with fewer letters that its translation has not, such as `{who} on {what}`, could be part of any text. */
const FEWEST_LETTERS = 7;
const ANYTHING = '.+';

/** The English texts of `languages/LANGUAGE/*.json` whose translation differs; none for English itself. */
export function englishTexts(language: Language): EnglishTexts {
  const translations = language === 'en' ? [] : Object.entries(translationsOf(language));
  const exact = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [key, translation] of translations) {
    const english = key.replace(/ \[\[[^\]]*\]\]$/, '');
    if (!translation || translation === english) continue;
    if (!/[{}<>]/.test(english)) exact.add(english);
    else for (const source of sourcesOf(english, translation)) patterns.push(new RegExp(`^${source}$`, 's'));
  }
  // The English of one message can be the translation of another, as “Alarm” is.
  for (const [, translation] of translations) exact.delete(translation);
  const known = new Map<string, boolean>();
  return {
    has(text) {
      const answer = known.get(text) ?? (exact.has(text) || patterns.some((pattern) => pattern.test(text)));
      known.set(text, answer);
      return answer;
    },
  };
}

/** The texts of a language, in all of its files. */
export function translationsOf(language: Language): Translations {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../languages/${language}/${name}.json`, import.meta.url), 'utf8'));
  return { ...read('stored'), ...read('service'), ...read('dashboard') };
}

/**
 * Expressions for the texts that a message makes on a page: its parts between tags, and where an argument is a link or a time,
 * including those between arguments.
 */
function sourcesOf(message: string, translation: string): string[] {
  const parts = variants(parse(message)).flatMap((variant) => variant.split('\n'));
  // Words that stay in the translation, such as “webhook”, do not tell the two apart.
  const own = (text: string) =>
    (text.replaceAll(ANYTHING, ' ').match(/\p{L}+/gu) ?? []).filter(
      (word) => !translation.toLowerCase().includes(word.toLowerCase()),
    );
  const letters = (text: string) => own(text).join('').length;
  const pieces = parts
    .flatMap((part) => part.split(ANYTHING))
    .filter((piece) => letters(piece) > FEWEST_LETTERS + 3);
  const sources = [...parts, ...pieces].map((source) => source.trim());
  return [...new Set(sources)].filter((source) => letters(source) >= FEWEST_LETTERS);
}

/** One expression for each choice of plurals; parts between tags are separated by line breaks. */
function variants(elements: readonly MessageFormatElement[]): string[] {
  return elements.reduce<string[]>(
    (before, element) => before.flatMap((start) => variantsOf(element).map((end) => start + end)),
    [''],
  );
}

function variantsOf(element: MessageFormatElement): string[] {
  if (element.type === TYPE.literal) return [element.value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')];
  if (element.type === TYPE.tag) return variants(element.children).map((inside) => `\n${inside}\n`);
  if (element.type === TYPE.plural || element.type === TYPE.select)
    return Object.values(element.options).flatMap(({ value }) => variants(value));
  return [ANYTHING];
}
