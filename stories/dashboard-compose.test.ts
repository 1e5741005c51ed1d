import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { barriers } from '../testing/accessibility.ts';
import { launchBrowser, openTab, type Size, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { chooseFound } from '../testing/keyboard.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('paging somebody from the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        automatic: true,
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace', 'alan'),
          teams: {
            sre: {
              members: ['ada', 'grace', 'alan'],
              schedules: [{ stages: [['grace'], ['alan']], backstop: 'ada' }],
            },
          },
        }),
      }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  async function signedIn(size?: Size): Promise<Tab> {
    const tab = await openTab(browser, size);
    await tab.page.goto(await signInLink(t, 'ada'));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Now' }).waitFor();
    return tab;
  }

  const steps = async (page: Page) =>
    page.getByRole('list', { name: 'Who would be reached' }).getByRole('listitem').allInnerTexts();

  it('shows who would be reached, and then reaches them, without a mouse', async () => {
    const { page, errors, close } = await signedIn();
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Page someone' }).waitFor();
    await page.getByText('Choose a recipient to see').waitFor();
    await page.getByRole('combobox', { name: 'Team' }).focus();
    await page.keyboard.type('sre');
    await chooseFound(page, 'sre');
    await page.getByText('Stage 2').waitFor();
    const shown = await steps(page);
    assert.equal(shown.length, 4);
    assert.match(shown[0] ?? '', /^At once\s+Stage 1[\s\S]*Grace[\s\S]*webhook at once/);
    assert.match(shown[1] ?? '', /^After 5 min\s+Stage 2[\s\S]*Alan/);
    assert.match(shown[2] ?? '', /^After 10 min\s+The backstop[\s\S]*Ada/);
    assert.match(shown[3] ?? '', /^After 15 min\s+Stage 1, round 2[\s\S]*Grace/);
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('textbox', { name: 'What is wrong' }).focus();
    await page.keyboard.type('Checkout fails');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Every third order is lost');
    await page.getByRole('button', { name: 'Page now' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Stage 1 · Grace', { exact: true }).waitFor();
    const [notification] = await t.notified('grace');
    assert.deepEqual([notification?.body.title, notification?.body.urgency], ['Checkout fails', 'high']);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Ada resolved it in the dashboard').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('shows problems next to the field', async () => {
    const { page, close } = await signedIn('phone');
    await page.goto(
      `${t.url}/pages/new?kind=person&to=grace@example.com&title=Lights&text=Out&source=ftp://x`,
    );
    await page.getByText('Directly').waitFor();
    // The browser's own validation would stop it; this tests the service's answer.
    await page.evaluate(`document.querySelector('form').noValidate = true`);
    await page.getByRole('button', { name: 'Page now' }).click();
    await page.getByText(/http/).last().waitFor();
    assert.match(
      await page
        .getByLabel('Link')
        .evaluate((field) => field.parentElement?.parentElement?.textContent ?? ''),
      /http/,
    );
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    await close();
  });

  it('finds pages, and the address of the result can be sent to others', async () => {
    const { page, close } = await signedIn();
    await page.goto(`${t.url}/pages`);
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('third order');
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Resolved' }).click();
    await page.getByRole('link', { name: 'Checkout fails' }).waitFor();
    await page.waitForURL(/text=third/);
    await page.reload();
    await page.getByRole('link', { name: 'Checkout fails' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('no such words');
    await page.getByText('No page matches these filters.').waitFor();
    await close();
  });

  it('goes anywhere by a few letters', async () => {
    const { page, errors, close } = await signedIn();
    await page.keyboard.press('Control+k');
    const find = page.getByRole('textbox', { name: 'Find' });
    await find.fill('Checkout');
    await page.getByRole('button', { name: /Checkout fails/ }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Checkout fails' }).waitFor();
    await page.keyboard.press('Control+k');
    await find.fill('page gra');
    await page.getByRole('button', { name: /Page Grace/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Directly').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });
});
