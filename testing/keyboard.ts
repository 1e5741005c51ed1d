import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** No view may have more Tab stops than this. */
const MOST_TABS = 80;

/** A person who uses only the keyboard. */
export type Keyboard = {
  /** Presses Tab until this has a visible focus; fails when Tab never reaches it. */
  reach(what: Locator): Promise<void>;
  /** Reaches it and presses Enter once keys act. */
  enter(what: Locator): Promise<void>;
  /** Reaches it and types the text. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses an option by typing its first letters. */
  choose(field: Locator, text: string): Promise<void>;
};

/** Waits until keys act on what has appeared, which they do not in the first second. */
export async function keysAct(page: Page): Promise<void> {
  await page.locator('html[data-keys="on"]').waitFor();
}

export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page;
  async function reach(what: Locator): Promise<void> {
    await what.waitFor();
    for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
      if (await what.evaluate((element) => element.matches(':focus'))) {
        assert.ok(await hasRing(what), `${what} shows that it has the focus`);
        return;
      }
      await keyboard.press('Tab');
    }
    assert.fail(`Tab never reaches ${what}`);
  }
  return {
    reach,
    async enter(what) {
      await reach(what);
      await keysAct(page);
      await keyboard.press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    async choose(field, text) {
      await reach(field);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
      await chooseFound(page, text);
    },
  };
}

/** Chooses the first option of an open list by keyboard, once the list is filtered by the typed text. */
export async function chooseFound(page: Page, text: string): Promise<void> {
  await page
    .getByRole('option', { name: new RegExp(text, 'i') })
    .first()
    .waitFor();
  await listReady(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/**
 * Waits until keys move from the choice that an open list marks. The list notes which one that is a turn of the event loop after it
 * opens, and would forget a key before that. People do not type that fast, but tests on a busy machine do.
 */
export async function listReady(page: Page): Promise<void> {
  await page.evaluate('new Promise((turn) => setTimeout(turn))');
}

/** Whether it or its parent shows a focus ring. Text fields always change the colour of their frame. */
async function hasRing(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { getComputedStyle } = element.ownerDocument.defaultView ?? globalThis;
    const isDrawn = (one: typeof element, part?: string) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, part);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    };
    if (element.matches('input, textarea')) return true;
    return [element, element.parentElement ?? element].some((one) => isDrawn(one) || isDrawn(one, '::after'));
  });
}
