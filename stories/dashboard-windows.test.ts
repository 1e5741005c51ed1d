import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openTab, type Size, type StoryBrowser, schemesAt } from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { type PageSource, pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('windows, silences and pages of a source, in a browser', { timeout: 900_000 }, () => {
  let t: Story;
  let browser: StoryBrowser;
  let source: PageSource;
  let ada: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, grace: {} },
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
        },
      }),
    ]);
    ada = await signIn(t, 'ada');
    // The dashboard stays open throughout and keeps Ada reachable.
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    source = await pageSource(t);
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  async function signedIn(
    size: Size,
    scheme: 'dark' | 'light',
  ): Promise<{ page: Page; close(): Promise<void> }> {
    const { page, close, errors } = await openTab(browser, size, scheme);
    await page.goto(await signInLink(t, 'ada'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    return {
      page,
      async close() {
        await close();
        // The browser logs every refusal; the form shows errors while a person types.
        assert.deepEqual(
          errors.filter((error) => !error.includes('/api/windows/preview')),
          [],
        );
      },
    };
  }

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size)) {
      const about = `${size} ${scheme}`;
      const key = `disk-${size}-${scheme}`;

      it(`silence an alert from its page, and end the silence on Now, ${about}`, async () => {
        const { page, close } = await signedIn(size, scheme);
        await source.post({ title: `Disk full ${about}`, dedup_key: key, severity: 'warning' });
        await source.post({ action: 'resolve', dedup_key: key });
        const [raised] = await source.post({
          title: `Disk full ${about}`,
          dedup_key: key,
          severity: 'warning',
        });
        await source.post({ action: 'acknowledge', dedup_key: key });
        await page.goto(`${t.url}/pages/${raised?.id}`);
        await page.getByRole('link', { name: '2 pages in 24 h' }).waitFor();
        await page.getByText(/^Acknowledged by$/).waitFor();
        assert.ok((await page.getByText(key, { exact: true }).count()) > 0);
        await looksWell(page, `page-of-source-${size}-${scheme}`, size);
        await page.getByRole('link', { name: '2 pages in 24 h' }).click();
        await page
          .getByRole('link', { name: `Disk full ${about}` })
          .nth(1)
          .waitFor();
        assert.equal(await page.locator('article[data-page]').count(), 2);
        await looksWell(page, `pages-of-key-${size}-${scheme}`, size);
        await page.goBack();

        await page.getByRole('button', { name: 'Silence' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(/pages nobody until/).waitFor();
        await dialog.getByText('In the last 7 days, 2 pages would have waited').waitFor();
        await looksWell(page, `silence-dialog-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Silence' }).click();
        await page.getByText(/Silenced until/).waitFor();
        await source.post({ action: 'resolve', dedup_key: key });
        const [held] = await source.post({ title: `Disk full ${about}`, dedup_key: key });
        assert.equal(held?.action, 'waiting');

        await page.goto(t.url);
        const quiet = page.getByRole('region', { name: 'Held or silenced now' });
        await quiet.getByText(/1 alert held/).waitFor();
        await looksWell(page, `now-silenced-${size}-${scheme}`, size);
        await quiet.getByRole('link', { name: `Disk full ${about}` }).click();
        await page.getByText('waits to page').waitFor();
        await looksWell(page, `window-holds-${size}-${scheme}`, size);
        await page.goBack();
        await quiet.getByRole('button', { name: /^End now/ }).click();
        await page.getByText('1 alert is still open and pages the team at once.').waitFor();
        await looksWell(page, `window-end-${size}-${scheme}`, size, false);
        await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
        await quiet.waitFor({ state: 'detached' });
        await t.settle();
        await source.post({ action: 'resolve', dedup_key: key });
        await close();
      });

      it(`silence alerts with the same labels as a page, ${about}`, async () => {
        const { page, close } = await signedIn(size, scheme);
        const labels = { service: `db-${size}-${scheme}`, zone: 'eu-1', host: 'db-7.internal.example.com' };
        const [raised] = await source.post({ title: `Slow ${about}`, dedup_key: `slow-${key}`, labels });
        await source.post({ action: 'acknowledge', dedup_key: `slow-${key}` });
        await page.goto(`${t.url}/pages/${raised?.id}`);
        await page.getByRole('button', { name: 'Silence' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Same labels').click();
        const go = dialog.getByRole('button', { name: 'Silence' });
        assert.equal(await go.isDisabled(), true);
        await dialog.getByText(`service=${labels.service}`).click();
        await dialog.getByText('zone=eu-1').click();
        await dialog.getByText(`with service=${labels.service} and zone=eu-1 pages nobody until`).waitFor();
        await dialog.getByText('In the last 7 days, 1 page would have waited').waitFor();
        await looksWell(page, `silence-labels-${size}-${scheme}`, size, false);
        await go.click();
        // A message disappears by itself unless the pointer is on it.
        await page.getByText(/Silenced until/).hover();
        const other = { ...labels, host: 'db-8.internal.example.com' };
        const [held] = await source.post({ title: 'Another host', dedup_key: `other-${key}`, labels: other });
        assert.equal(held?.action, 'waiting');
        const elsewhere = { ...labels, zone: 'us-1' };
        const [paged] = await source.post({ title: 'Zone', dedup_key: `us-${key}`, labels: elsewhere });
        assert.equal(paged?.action, 'raised');
        for (const one of ['slow', 'other', 'us'])
          await source.post({ action: 'resolve', dedup_key: `${one}-${key}` });
        await page.getByRole('button', { name: 'Undo' }).click();
        await t.settle();
        await close();
      });

      it(`set, show and change a maintenance window of a team, ${about}`, async () => {
        const { page, close } = await signedIn(size, scheme);
        await page.goto(`${t.url}/teams/sre`);
        const windows = page.getByRole('region', { name: 'Maintenance windows' });
        await windows.getByRole('button', { name: 'New window' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill(`Backup ${about}`);
        await dialog.getByLabel('Only alerts that match').fill('service');
        await dialog.getByText(/is not a matcher/).waitFor();
        await dialog.getByLabel('Only alerts that match').fill('service=db');
        await dialog.getByRole('combobox', { name: 'Repeats' }).click();
        await page.getByRole('option', { name: 'Every day' }).click();
        await dialog.getByRole('list', { name: 'Next times' }).waitFor();
        await dialog.getByRole('list', { name: 'Next times' }).getByRole('listitem').nth(5).waitFor();
        await looksWell(page, `window-dialog-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Set the window' }).click();
        await windows.getByText(`Backup ${about}`).waitFor();
        await looksWell(page, `team-windows-${size}-${scheme}`, size);
        await windows.getByRole('link', { name: `Backup ${about}` }).click();
        await page.getByRole('heading', { name: `Backup ${about}` }).waitFor();
        await page.getByRole('button', { name: 'Change' }).click();
        await dialog.getByText('Only record').click();
        await looksWell(page, `window-change-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.getByText('Alerts are recorded and never page.').waitFor();
        await looksWell(page, `window-${size}-${scheme}`, size);
        await page.getByRole('button', { name: /^Cancel it/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
        await page.getByText(/ended by Ada/).waitFor();
        await close();
      });

      it(`find pages by their source, and report what was kept from paging, ${about}`, async () => {
        const { page, close } = await signedIn(size, scheme);
        const { body } = await ada.call('GET', `/api/sources/${source.id}`);
        await page.goto(`${t.url}/pages?show=all`);
        if (size === 'phone') await page.getByRole('button', { name: 'Filters' }).click();
        await page.getByRole('combobox', { name: 'Source' }).click();
        await page.getByRole('option', { name: body.name }).click();
        await page
          .getByText(new RegExp(`SRE · ${body.name} · resolved by ${body.name}`))
          .first()
          .waitFor();
        await looksWell(page, `pages-of-source-${size}-${scheme}`, size);
        await page.goto(`${t.url}/reports`);
        const kept = page.getByRole('region', { name: 'Kept from paging' });
        await kept.getByText(/alert/).first().waitFor();
        await kept.scrollIntoViewIfNeeded();
        await looksWell(page, `reports-kept-${size}-${scheme}`, size, false);
        const { schedules } = (await ada.call('GET', '/api/schedules')).body;
        await page.goto(`${t.url}/schedules/${schedules[0].id}/edit`);
        const medium = page.getByRole('spinbutton', { name: 'Ask again at medium urgency, in minutes' });
        await medium.fill('120');
        await medium.scrollIntoViewIfNeeded();
        await looksWell(page, `schedule-ask-again-${size}-${scheme}`, size, false);
        await close();
      });
    }
});
