import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  launchBrowser,
  openTab,
  photograph,
  type Scheme,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { reportsStory } from '../testing/reports-story.ts';
import type { RotaStory } from '../testing/rota-story.ts';

describe('reports in the dashboard', () => {
  let browser: StoryBrowser;
  let rota: RotaStory;

  before(async () => {
    [browser, rota] = await Promise.all([launchBrowser(), reportsStory()]);
  });
  after(async () => {
    await browser?.close();
    await rota?.end();
  });

  async function open(path: string, size: Size = 'desk', scheme: Scheme = 'dark'): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await rota.signInTo(tab, 'ada');
    await tab.page.goto(rota.t.url + path);
    return tab;
  }

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`look good at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await open('/reports?period=12w', size, scheme);
        const { page } = tab;
        await page.getByRole('heading', { name: 'Noisiest sources' }).waitFor();
        await page.locator('[data-line=Median]').first().waitFor();
        await looksWell(page, `reports-${size}-${scheme}`, size);
        await page.goto(`${rota.t.url}/reports?period=ahead`);
        await page.getByRole('heading', { name: 'Load per person' }).waitFor();
        await looksWell(page, `reports-ahead-${size}-${scheme}`, size);
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });

  it('can be limited to one team and certain days, with addresses that lead back to them', async () => {
    const tab = await open('/reports');
    const { page } = tab;
    await page.getByText('Load per person').waitFor();
    await page.getByRole('radiogroup', { name: 'Which time' }).getByText('Dates').click();
    await page.getByLabel('From').fill('2025-01-06');
    await page.getByLabel('To', { exact: true }).fill('2025-01-12');
    await page.getByText('Nobody was on call in this time, and no page was raised.').waitFor();
    assert.match(page.url(), /from=2025-01-06&to=2025-01-12/);
    await looksWell(tab.page, 'reports-empty-desk-dark', 'desk');
    await page.goto(`${rota.t.url}/reports?period=12w&team=sre`);
    await page.getByText(', SRE').waitFor();
    await page.getByText('Load per person').waitFor();
    assert.deepEqual(tab.errors, []);
    await tab.close();
  });

  it('take dates that are typed, and show no figures of another time or team meanwhile', async () => {
    const tab = await open('/reports');
    const { page } = tab;
    await page.getByText('Load per person').waitFor();
    await page.getByRole('radiogroup', { name: 'Which time' }).getByText('Dates').click();
    // The same in the order of any country.
    for (const [name, typed] of [
      ['To', '02022025'],
      ['From', '01012025'],
    ] as const) {
      await page.getByLabel(name, { exact: true }).focus();
      await page.keyboard.type(typed);
    }
    await page.waitForURL(/from=2025-01-01&to=2025-02-02/);
    await page.getByText('Nobody was on call in this time, and no page was raised.').waitFor();
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/api/reports/**', (route) => late.then(() => route.continue()));
    await page.getByRole('radiogroup', { name: 'Which time' }).getByText('12 weeks').click();
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    assert.equal(await page.getByText('Nobody was on call in this time').count(), 0);
    arrive();
    await page.getByText('Load per person').waitFor();
    await tab.close();
  });

  it('show the content of charts by keyboard and as tables', async () => {
    const tab = await open('/');
    const { page } = tab;
    await page.getByRole('heading', { name: 'On call' }).first().waitFor();
    await page.keyboard.press('Alt+r');
    await page.getByRole('heading', { name: 'Reports', exact: true }).waitFor();
    const pages = page.getByRole('region', { name: 'Pages per week' });
    await pages.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    // One line for each of four weeks, and their names.
    await eventually(() => pages.getByRole('row').count(), 5);
    await page.getByRole('button', { name: 'CSV' }).focus();
    await page.keyboard.press('Enter');
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Load and fairness per person' }).press('Enter');
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^tocsin-fairness-[\d-]+\.csv$/);
    assert.deepEqual(tab.errors, []);
    await tab.close();
  });

  it('are printed black on white, without buttons', async () => {
    const tab = await open('/reports?period=12w');
    const { page } = tab;
    await page.getByRole('heading', { name: 'Noisiest sources' }).waitFor();
    await page.locator('[data-line=Median]').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const looks = await page.evaluate(`({
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      buttons: [...document.querySelectorAll('button, nav')].filter((one) => one.checkVisibility()).length,
    })`);
    assert.deepEqual(looks, { ground: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)', buttons: 0 });
    await page.setViewportSize({ width: 700, height: 1000 });
    await photograph(page, 'reports-print', true);
    const paper = await page.pdf({ format: 'A4' });
    assert.ok(paper.length > 10_000);
    await tab.close();
  });
});
