import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { queueNotices } from '../src/notices/store.ts';
import { bringSession, launchBrowser, openTab, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** The number of messages that fit at a time. */
const ROOM = 3;

describe('the words in the corner of the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let tab: Tab;
  let page: Page;

  before(async () => {
    [browser, t] = await Promise.all([launchBrowser(), story({ organization: { people: { ada: {} } } })]);
    tab = await openTab(browser);
    page = tab.page;
    await bringSession(page, await signIn(t, 'ada'), t.url);
    await page.goto(`${t.url}/availability`);
    await page.getByText('No entries yet').waitFor();
  });
  after(async () => {
    await browser?.close();
    await t.end();
    assert.deepEqual(tab.errors, []);
  });

  async function tellNews(count: number): Promise<void> {
    const { db, clock } = t;
    const at = await clock.now(db);
    const news = Array.from({ length: count }, (_, index) => ({
      ...{ organizationId: t.acme.id, userId: t.acme.users.ada ?? '', kind: 'shift.changed' },
      ...{ subject: `News ${index + 1}`, text: 'Your shifts change.', path: null, dedupKey: null },
    }));
    await db.transaction().execute((tx) => queueNotices(tx, at, () => news));
  }

  it('offer undo at once, however many events there are', async () => {
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Label').fill('Dentist');
    await page.getByRole('button', { name: 'Save' }).click();
    const remove = page.getByRole('button', { name: 'Remove Dentist' });
    await remove.waitFor();
    await tellNews(ROOM);
    await page.getByRole('link', { name: `News ${ROOM - 1}` }).waitFor();
    // A message may cover the button.
    await remove.press('Enter');
    // Before any message disappears by itself.
    await page.getByText('Removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
    await page.getByRole('link', { name: `News ${ROOM}` }).waitFor();
  });
});
