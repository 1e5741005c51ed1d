import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('an absence that repeats, in the dashboard', { timeout: 900_000 }, () => {
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
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`is entered, shown in words, and removed, ${size} ${scheme}`, async () => {
        const { page, close, errors } = await openTab(browser, size, scheme);
        await bringSession(page, await signIn(t, 'ada'), t.url);
        await page.goto(`${t.url}/availability`);
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        const dialog = page.getByRole('dialog');
        const today = await dialog.getByLabel(/^From/).inputValue();
        const first = Temporal.PlainDate.from(today).add({ days: 1 });
        const weekday = first.toLocaleString('en-GB', { weekday: 'long' });
        await dialog.getByLabel('Label').fill('Choir');
        await dialog.getByRole('checkbox', { name: 'Whole days' }).uncheck();
        await dialog.getByLabel(/^From, in/).fill(`${first}T18:00`);
        await dialog.getByLabel(/^To, in/).fill(`${first}T22:00`);
        await dialog.getByRole('combobox', { name: 'Repeats' }).click();
        await page.getByRole('option', { name: `Every other ${weekday}` }).click();
        const last = first.add({ days: 30 });
        await dialog.getByLabel('Last day').fill(last.toString());
        await looksWell(page, `absence-repeats-dialog-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        const coming = page.getByRole('region', { name: 'Coming up' });
        const words = new RegExp(`Every other ${weekday}, 18:00 – 22:00, until ${last.day} `);
        await coming.getByText(words).waitFor();
        assert.equal(await coming.getByText('Choir').count(), 1, 'its times are one line');
        await looksWell(page, `availability-repeats-${size}-${scheme}`, size);

        const { records } = (
          await (
            await signIn(t, 'ada')
          ).call('GET', `/api/availabilities?from=${first}T00:00:00Z&to=${first.add({ days: 60 })}T00:00:00Z`)
        ).body;
        assert.equal(records.length, 3);
        const { schedules } = (await (await signIn(t, 'ada')).call('GET', '/api/schedules')).body;
        await page.goto(`${t.url}/schedules/${schedules[0].id}?view=month&at=${first}`);
        await page
          .getByTitle(new RegExp(`^Ada · Choir: Every other ${weekday}, 18:00 – 22:00`))
          .first()
          .waitFor();

        await page.goto(`${t.url}/availability`);
        await coming.getByRole('button', { name: 'Change Choir' }).click();
        await dialog
          .getByText('A change applies to all future occurrences and the current one.', { exact: false })
          .waitFor();
        await looksWell(page, `absence-repeats-change-${size}-${scheme}`, size, false);
        await dialog.getByRole('combobox', { name: 'Repeats' }).click();
        await page.getByRole('option', { name: `Every ${weekday}` }).click();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        await coming.getByText(new RegExp(`Every ${weekday}, 18:00 – 22:00`)).waitFor();

        // By keyboard, because on a phone the message “Changed.” lies over the list for a few seconds.
        await coming.getByRole('button', { name: 'Change Choir' }).press('Enter');
        await dialog.getByRole('button', { name: 'Remove all' }).click();
        await coming.getByText('No entries yet', { exact: false }).waitFor();
        await page.getByRole('button', { name: 'Undo' }).click();
        await coming.getByText(new RegExp(`Every ${weekday}, 18:00 – 22:00`)).waitFor();
        await coming.getByRole('button', { name: 'Remove Choir' }).press('Enter');
        await coming.getByText('No entries yet', { exact: false }).waitFor();
        await close();
        assert.deepEqual(errors, []);
      });

  it('opens its list of repetitions at the bottom of a small phone', async () => {
    const { page, close, errors } = await openTab(browser, 'phone', 'light');
    await page.setViewportSize({ width: 390, height: 720 });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await bringSession(page, await signIn(t, 'ada'), t.url);
    await page.goto(`${t.url}/availability`);
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Repeats' }).tap();
    const option = page.getByRole('option', { name: 'Every day' });
    await option.waitFor();
    const box = await option.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await option.tap();
    assert.equal(await dialog.getByRole('combobox', { name: 'Repeats' }).inputValue(), 'Every day');
    assert.deepEqual(errors, []);
    await close();
  });
});
