import {
  ENGLISH,
  LANGUAGE_NAMES,
  type Language,
  languageOf,
  OFFERED,
  type Speech,
  speakWith,
  speechOf,
  type Translations,
} from '../../../src/language/contract.ts';

/**
 * The language of the dashboard. Every module that shows texts imports `t` from here. The translations are therefore
 * loaded before such a module runs, and its constants may hold translated texts. A change of the language takes effect
 * after a reload.
 */
export { byName, commas, listed, t, tIn, translated } from '../../../src/language/contract.ts';

/** The made-up language of tests: every text that went through `t` is accented and a third longer. */
const PSEUDO = 'en-XA';
const STORED = 'tocsin.language';
const LOADED_WITHIN_MS = 4_000;

type Shown = Language | typeof PSEUDO;

const FILES: Record<Exclude<Language, 'en'>, () => Promise<{ default: Translations }>> = {
  de: () => import('../../../languages/de/dashboard.json'),
  fr: () => import('../../../languages/fr/dashboard.json'),
  es: () => import('../../../languages/es/dashboard.json'),
  'pt-BR': () => import('../../../languages/pt-BR/dashboard.json'),
  ja: () => import('../../../languages/ja/dashboard.json'),
};

/** The language in which this dashboard was started. */
export const shownLanguage: Shown = chosenLanguage();
/** The languages that can be chosen, as the options of a field. */
export const LANGUAGE_OPTIONS = OFFERED.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

if (typeof document !== 'undefined') {
  document.documentElement.lang = shownLanguage;
  const speech = await load(shownLanguage);
  speakWith(() => speech);
}

function chosenLanguage(): Shown {
  if (typeof document === 'undefined') return 'en';
  const stored = storedLanguage();
  return stored ?? languageOf(navigator.languages);
}

function storedLanguage(): Shown | null {
  try {
    const stored = localStorage.getItem(STORED);
    return [...OFFERED, PSEUDO].find((language): language is Shown => language === stored) ?? null;
  } catch {
    return null;
  }
}

/** English is shown when the translations cannot be loaded in time: a page must never wait for them. */
async function load(language: Shown): Promise<Speech> {
  if (language === 'en') return ENGLISH;
  try {
    if (language === PSEUDO) return { locale: 'en', translate: (await import('./pseudo.ts')).pseudo };
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error('late')), LOADED_WITHIN_MS),
    );
    const file = await Promise.race([FILES[language](), late]);
    return speechOf(language, file.default);
  } catch {
    return ENGLISH;
  }
}

/**
 * Takes over the language that a person chose; null: that of the browser. Starts the dashboard again if it was started in
 * another one. Does nothing without storage, because the next start could not know the language.
 */
export function preferLanguage(chosen: Language | null): void {
  if (shownLanguage === PSEUDO) return;
  try {
    if (chosen === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, chosen);
  } catch {
    return;
  }
  if (shownLanguage !== chosenLanguage()) window.location.reload();
}
