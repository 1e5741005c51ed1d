import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { barriers } from './accessibility.ts';
import { photograph, SIZES, type Size } from './browser.ts';
import { within } from './within.ts';

/**
 * Fails when a view scrolls sideways or has accessibility violations, and photographs it. `whole`: see `photograph`.
 */
export async function looksWell(page: Page, name: string, size: Size, whole = true): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.equal(width, SIZES[size].width, `${name} scrolls sideways`);
  await within(page.evaluate('document.fonts.ready'), 'the loading of fonts');
  await photograph(page, name, whole);
  assert.deepEqual(await barriers(page), [], name);
}

/** Opens all folded parts of a view, so that their texts are looked at too. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    `for (const fold of document.querySelectorAll('main details:not([open]) > summary')) fold.click()`,
  );
}
