import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** No view has more to go through than a person would bear. */
const MOST_TABS = 80;

/** Somebody without a mouse. */
export type Keyboard = {
  /** Goes on by Tab until this has the focus, as whoever sees the ring around it would; fails when Tab never gets there. */
  reach(what: Locator): Promise<void>;
  /** Reaches it and presses Enter once keys act. */
  enter(what: Locator): Promise<void>;
  /** Reaches it and types. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses from a list by its first letters. */
  choose(field: Locator, text: string): Promise<void>;
};

/** Waits until a key acts on what has appeared: not within the first second. */
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

/** Chooses, without a mouse, the first of an open list whose field was typed into, once that is what was typed. */
export async function chooseFound(page: Page, text: string): Promise<void> {
  await page
    .getByRole('option', { name: new RegExp(text, 'i') })
    .first()
    .waitFor();
  // One turn after it opened, a list marks what was chosen before. Nobody types that fast; a test on a busy machine does.
  await page.evaluate('new Promise((turn) => setTimeout(turn))');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Around it, around what it stands in, or the frame of a field, which always changes its colour. */
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
