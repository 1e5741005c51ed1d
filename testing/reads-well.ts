import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { LANGUAGES, type Language } from '../src/language/contract.ts';
import {
  bringSession,
  openTab,
  photograph,
  type Scheme,
  SIZES,
  type Size,
  type StoryBrowser,
  type Tab,
} from './browser.ts';
import { type EnglishTexts, englishTexts, translationsOf } from './english-left.ts';
import { laidOut } from './laid-out.ts';
import type { SignedIn } from './signed-in.ts';
import type { Story } from './story.ts';
import { within } from './within.ts';

/**
 * The languages and sizes in which views are read: German has the longest words, and Japanese no spaces. With EVERY_LOOK=1
 * every language at every size, with pictures of both schemes; they show Japanese only on machines with a Japanese font.
 */
export const READ_IN: readonly { language: Language; sizes: readonly Size[] }[] = process.env.EVERY_LOOK
  ? LANGUAGES.map((language) => ({ language, sizes: ['phone', 'desk'] }))
  : [
      { language: 'de', sizes: ['phone', 'desk'] },
      { language: 'ja', sizes: ['phone'] },
    ];

/** Checks the view that is shown, by its name in messages and pictures. */
export type Reading = { tab: Tab; check(view: string): Promise<void>; end(): Promise<void> };

/**
 * A tab of a person in a language. `check` notes texts that are cut, overlap, wrap within a control or are still English;
 * `end` fails with all of them. `data`: texts that the story made, which can look like English texts of the catalogue.
 */
export async function readIn(
  browser: StoryBrowser,
  t: Story,
  who: { person: string; session: SignedIn },
  { language, sizes }: (typeof READ_IN)[number],
  data: readonly string[] = [],
): Promise<Reading> {
  await t.db
    .updateTable('users')
    .set({ language })
    .where('id', '=', t.acme.users[who.person] ?? '')
    .execute();
  const tab = await openTab(browser, sizes[0], 'light');
  await tab.page
    .context()
    .addInitScript((chosen) => localStorage.setItem('tocsin.language', chosen), language);
  await bringSession(tab.page, who.session, t.url);
  const english = englishTexts(language);
  const flaws: string[] = [];
  return {
    tab,
    async check(view) {
      for (const size of sizes) {
        await tab.page.setViewportSize(SIZES[size]);
        await settled(tab.page);
        const found = await flawsOf(tab.page, english, data);
        flaws.push(...found.map((flaw) => `${view}, ${language}, ${size}: ${flaw}`));
        if (process.env.EVERY_LOOK) await photographSchemes(tab.page, `${view}-${language}-${size}`);
      }
    },
    async end() {
      await tab.close();
      assert.deepEqual(flaws, []);
    },
  };
}

/** Waits until nothing is loading and the layout has taken over the size. */
async function settled(page: Page): Promise<void> {
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await within(page.evaluate('document.fonts.ready'), 'the loading of fonts');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function photographSchemes(page: Page, name: string): Promise<void> {
  for (const scheme of ['dark', 'light'] as Scheme[]) {
    await page.evaluate(`document.documentElement.dataset.mantineColorScheme = '${scheme}'`);
    await photograph(page, `${name}-${scheme}`, true);
  }
}

async function flawsOf(page: Page, english: EnglishTexts, data: readonly string[]): Promise<string[]> {
  const { wide, cut, overlapping, wrapped, shown } = await laidOut(page);
  // A name of one word is part of too many texts.
  const isMade = (text: string) =>
    data.some((one) => text === one || (one.includes(' ') && text.includes(one)));
  return [
    ...wide.map((element) => `scrolls sideways: ${element}`),
    ...cut.filter(({ text }) => !isMade(text)).map(({ text, place }) => `cut: ${text} (${place})`),
    ...overlapping.map((pair) => `overlapping: ${pair}`),
    ...wrapped.map(({ text, place }) => `too many lines: ${text} (${place})`),
    ...shown
      .filter(({ text }) => english.has(text) && !isMade(text))
      .map(({ text, place }) => `English: ${text} (${place})`),
  ];
}

/** A text of the dashboard in a language, for finding its controls. */
export function translated(language: Language): (english: string) => string {
  const texts = language === 'en' ? {} : translationsOf(language);
  return (english) => texts[english] || english;
}
