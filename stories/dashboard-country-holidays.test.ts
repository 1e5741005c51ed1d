import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { chooseFound } from '../testing/keyboard.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('public holidays of a country, in the dashboard', { timeout: 900_000 }, () => {
  let t: Story;
  let browser: StoryBrowser;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, grace: {} },
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada', 'grace']] }] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`are chosen from lists, and shown by year, ${size} ${scheme}`, async () => {
        const { page, close, errors } = await openTab(browser, size, scheme);
        const ada = await signIn(t, 'ada');
        const { schedules } = (await ada.call('GET', '/api/schedules')).body;
        await bringSession(page, ada, t.url);
        await page.goto(`${t.url}/schedules/${schedules[0].id}/edit`);
        const holidays = page.getByRole('region', { name: 'Public holidays' });
        await holidays.getByRole('button', { name: 'Add holidays' }).click();
        const adding = page.getByRole('dialog', { name: 'Add holidays' });
        const choose = async (label: string, text: string) => {
          // The field waits for the list of countries from the service.
          const field = adding.getByRole('combobox', { name: label });
          await field.click();
          await field.fill(text);
          await chooseFound(page, text);
        };
        await choose('Country', 'Germany');
        await choose('Region', 'Bayern');
        await looksWell(page, `holidays-of-country-dialog-${size}-${scheme}`, size, false);
        assert.equal(await adding.getByLabel('Name').inputValue(), 'Germany, Bayern');
        await adding.getByRole('button', { name: 'Add them' }).click();
        await adding.waitFor({ state: 'detached' });
        const show = holidays.getByRole('button', { name: 'Show the days of Germany, Bayern' });
        await show.click();
        const days = page.getByRole('dialog', { name: 'Days of Germany, Bayern' });
        const year = (await t.clock.now(t.db)).toZonedDateTimeISO('UTC').year;
        await days.getByRole('combobox', { name: 'Year' }).click();
        await page.getByRole('option', { name: `${year + 1}` }).click();
        const list = days.getByRole('list', { name: `Days of ${year + 1}` });
        const epiphany = list.getByRole('listitem').filter({ hasText: 'Epiphany' });
        assert.equal(await epiphany.locator('time').getAttribute('datetime'), `${year + 1}-01-06`);
        await looksWell(page, `holidays-of-country-days-${size}-${scheme}`, size, false);
        await page.keyboard.press('Escape');
        await days.waitFor({ state: 'detached' });
        await holidays.getByRole('button', { name: 'Remove Germany, Bayern' }).click();
        await page.getByRole('button', { name: 'Remove it' }).click();
        await show.waitFor({ state: 'detached' });
        const { calendars } = (await ada.call('GET', `/api/holiday-calendars?schedule=${schedules[0].id}`))
          .body;
        assert.deepEqual(calendars, []);
        assert.deepEqual(errors, []);
        await close();
      });

  it('are found by the name of the country in the language of the viewer', async () => {
    const { page, close } = await openTab(browser);
    const ada = await signIn(t, 'ada');
    await ada.call('PATCH', '/api/profile', { language: 'de' });
    await bringSession(page, ada, t.url);
    await page.goto(`${t.url}/settings`);
    await page.getByRole('button', { name: 'Feiertage hinzufügen' }).click();
    const adding = page.getByRole('dialog', { name: 'Feiertage hinzufügen' });
    const country = adding.getByRole('combobox', { name: 'Land' });
    await eventually(() => country.evaluate((field) => field.matches(':focus')), true);
    await country.fill('Österr');
    await page.getByRole('option', { name: 'Österreich' }).click();
    await eventually(() => adding.getByLabel('Name').inputValue(), 'Österreich');
    await close();
    await ada.call('PATCH', '/api/profile', { language: 'en' });
  });

  it('can be set for the whole organization, but only by admins and owners', async () => {
    const { page, close, errors } = await openTab(browser);
    // A tab each, because a view whose session was exchanged may still request something, which the browser logs.
    const other = await openTab(browser);
    const listOf = async (page: Page, person: string) => {
      await bringSession(page, await signIn(t, person), t.url);
      await page.goto(`${t.url}/settings`);
      const list = page.getByRole('region', { name: 'Public holidays' });
      await list.getByText('Schedules without holidays of their own follow these.').waitFor();
      return list;
    };
    const own = await listOf(page, 'ada');
    await own.getByRole('button', { name: 'Add holidays' }).click();
    const adding = page.getByRole('dialog', { name: 'Add holidays' });
    const country = adding.getByRole('combobox', { name: 'Country' });
    await country.click();
    await country.fill('Japan');
    await chooseFound(page, 'Japan');
    await adding.getByRole('button', { name: 'Add them' }).click();
    await own.getByRole('button', { name: 'Remove Japan' }).waitFor();
    const ada = await signIn(t, 'ada');
    const { calendars } = (await ada.call('GET', '/api/holiday-calendars')).body;
    assert.deepEqual([calendars[0].country, calendars[0].region, calendars[0].schedule], ['JP', null, null]);

    const seen = await listOf(other.page, 'grace');
    await seen.getByRole('button', { name: 'Show the days of Japan' }).waitFor();
    assert.equal(await seen.getByRole('button', { name: /^(Remove|Add)/ }).count(), 0);
    assert.deepEqual([...errors, ...other.errors], []);
    await Promise.all([close(), other.close()]);
  });
});
