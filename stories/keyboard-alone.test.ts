import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openTab, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { type Keyboard, keyboardOf, keysAct } from '../testing/keyboard.ts';
import { type Story, story } from '../testing/story.ts';

/** A new user with only a keyboard sets up an organization, from the first screen to the last step. */
describe('everything using only the keyboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let tab: Tab;
  let page: Page;
  let by: Keyboard;
  /** By the letter of the view in the list of keys. */
  async function go(letter: string, heading: string): Promise<void> {
    await page.keyboard.press(`Alt+${letter}`);
    await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({ automatic: true, organization: { people: { nobody: {} } } }),
    ]);
    await t.db.deleteFrom('organizations').execute();
    tab = await openTab(browser);
    page = tab.page;
    by = keyboardOf(page);
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    assert.deepEqual(tab.errors, []);
  });

  it('creates the owner and a team, gets a page, and acknowledges', async () => {
    await page.goto((await t.app.firstRunLink()) ?? '');
    await by.write(page.getByLabel('Your name'), 'Ada Lovelace');
    await by.write(page.getByLabel('Email'), 'ada@example.com');
    await by.write(page.getByLabel('Organization'), 'Acme');
    await by.write(page.getByLabel('Password', { exact: true }), 'correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your first page' }).waitFor();
    await page.keyboard.type('Site Reliability');
    await page.keyboard.press('Enter');
    await button('Ring in this browser').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Your first page' }).waitFor();
    await keysAct(page);
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'It works' }).waitFor();
    await eventually(() => page.title(), 'It works · Tocsin');
    await page.getByText('The test page is resolved.').first().waitFor();
  });

  it('shows on Now the missing set-up, and leads there', async () => {
    await go('n', 'Now');
    await page.getByText('You are the only one here').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await by.enter(page.getByRole('link', { name: 'You are the only one here' }));
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  });

  it('invites somebody', async () => {
    await by.enter(button(/^Invite$/));
    await by.write(page.getByLabel('Email'), 'grace@example.com');
    await by.write(page.getByLabel('Name'), 'Grace Hopper');
    await by.reach(page.getByLabel('I will pass the link on to this person myself'));
    await page.keyboard.press('Space');
    await by.enter(button('Create the link'));
    await page.getByText('Give this link to them').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Give this link to them').waitFor({ state: 'detached' });
    await page.getByText('grace@example.com').waitFor();
  });

  it('creates a schedule', async () => {
    await go('s', 'Schedules');
    await by.enter(page.getByRole('link', { name: 'New schedule' }));
    await by.write(page.getByLabel('Name'), 'Nights');
    await by.choose(page.getByRole('combobox', { name: 'Who takes turns in stage 1' }), 'Ada');
    await by.enter(button('Create the schedule'));
    await page.getByRole('heading', { name: 'Nights' }).waitFor();
    await page.locator('[data-shift]').first().waitFor();
  });

  it('enters an absence, and removes it', async () => {
    await go('a', 'Availability');
    await by.enter(button('Add'));
    await by.write(page.getByLabel('Label'), 'Holiday');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').first().waitFor();
    await page.getByText('Holiday').first().waitFor();
    // Next to it, an earlier acknowledgement can be undone.
    const saved = page.locator('.mantine-Notification-root', { hasText: 'Saved.' });
    await by.enter(saved.getByRole('button', { name: 'Undo' }));
    await page.getByRole('heading', { name: 'Coming up' }).waitFor();
    await page.getByText('Holiday').first().waitFor({ state: 'detached' });
  });

  it('continues at the same place when a dialog closes', async () => {
    await go('a', 'Availability');
    await by.enter(button('Add'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await button('Add').and(page.locator(':focus')).waitFor();
    await go('s', 'Schedules');
    await by.enter(page.locator('[data-row]', { hasText: 'Nights' }));
    await by.enter(page.locator('[data-shift][tabindex="0"]'));
    await page.getByRole('dialog').getByText('Shift ID').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-shift][tabindex="0"]:focus').waitFor();
  });

  it('creates a webhook, and sees the moment that it reports', async () => {
    await go('t', 'Teams');
    await by.enter(page.locator('[data-row]', { hasText: 'Site Reliability' }));
    await by.enter(button('New webhook'));
    await by.choose(page.getByRole('combobox', { name: 'Tool' }), 'Custom');
    await by.write(page.getByLabel('Name'), 'Deploy script');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deploy script' }).waitFor();
    const url = await page.locator('code', { hasText: '/moment/' }).first().textContent();
    const answer = await fetch(url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Deploy rolled back', type: 'near-miss', source: 'ci' }),
    });
    assert.equal(answer.status, 200, await answer.text());
    await go('m', 'Moments');
    await page.getByText('Deploy rolled back').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deploy rolled back' }).waitFor();
    await by.enter(button('Resolve'));
    await page.getByText('resolved', { exact: true }).first().waitFor();
  });

  it('finds people, teams, schedules and moments by a few letters', async () => {
    for (const [letters, heading] of [
      ['nights', 'Nights'],
      ['site rel', 'Site Reliability'],
      ['rolled', 'Deploy rolled back'],
    ] as const) {
      await page.keyboard.press('Control+k');
      const find = page.getByRole('textbox', { name: 'Find' });
      await find.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(letters);
      await page
        .getByRole('button', { name: new RegExp(`^${heading}`, 'i') })
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await find.waitFor({ state: 'detached' });
    }
  });

  it('finds a way back from an unknown address', async () => {
    await page.goto(`${t.url}/no/such/place`);
    await page.getByText('There is no page at this address.').waitFor();
    await eventually(() => page.title(), 'Not found · Tocsin');
    // The browser logs the 404, too.
    tab.errors.length = 0;
    await by.enter(page.getByRole('main').getByRole('link', { name: 'Now' }));
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor();
  });
});
