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
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const SECRET = 'Operation on the knee';
const CALENDAR = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join('\r\n');

describe('a private absence, in the dashboard', { timeout: 900_000 }, () => {
  let t: Story;
  let browser: StoryBrowser;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: { people: { ada: {}, grace: {} }, teams: { sre: { members: ['ada', 'grace'] } } },
      }),
    ]);
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.grace ?? '')
      .execute();
    const calendar = { ics: CALENDAR, name: 'Clinic', events: 'all' };
    const followed = await (await signIn(t, 'ada')).call('POST', '/api/availability-sources', calendar);
    assert.equal(followed.status, 201, JSON.stringify(followed.body));
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  async function enter(page: Page, who: string): Promise<void> {
    await bringSession(page, await signIn(t, who), t.url);
  }

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`is entered with its label, which a manager does not see, ${size} ${scheme}`, async () => {
        const own = await openTab(browser, size, scheme);
        await enter(own.page, 'ada');
        await own.page.goto(`${t.url}/availability`);
        await own.page.getByRole('button', { name: 'Add', exact: true }).click();
        const dialog = own.page.getByRole('dialog');
        await dialog.getByLabel('Label').fill(SECRET);
        await dialog.getByRole('checkbox', { name: 'Private: others see only “Away”' }).check();
        await looksWell(own.page, `absence-private-dialog-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        const coming = own.page.getByRole('region', { name: 'Coming up' });
        await coming.getByText(SECRET).waitFor();
        await coming.getByText('private', { exact: true }).waitFor();
        await looksWell(own.page, `availability-private-${size}-${scheme}`, size);

        await own.page.goto(`${t.url}/availability/calendars`);
        const box = own.page.getByRole('checkbox', {
          name: 'Clinic. Private: others see only “Away”',
        });
        await box.click();
        await own.page.getByText('The titles of Clinic are private.').waitFor();
        await looksWell(own.page, `calendars-private-${size}-${scheme}`, size);
        await box.click();
        await own.page.getByText('Others see the titles of Clinic.').waitFor();

        const other = await openTab(browser, size, scheme);
        await enter(other.page, 'grace');
        const ada = t.acme.users.ada ?? '';
        await other.page.goto(`${t.url}/availability/team?team=sre`);
        await other.page
          .getByTitle(/^away, /)
          .first()
          .waitFor();
        assert.equal(await other.page.getByText(SECRET).count(), 0);
        await other.page.goto(`${t.url}/availability?person=${ada}`);
        const theirs = other.page.getByRole('region', { name: 'Coming up' });
        await theirs.getByRole('button', { name: 'Change Away' }).click();
        const change = other.page.getByRole('dialog');
        await change.getByText('Its label is private: only Ada sees it.').waitFor();
        await looksWell(other.page, `absence-private-change-${size}-${scheme}`, size, false);
        await change.getByRole('button', { name: 'Save' }).click();
        await change.waitFor({ state: 'detached' });

        await own.page.goto(`${t.url}/availability`);
        await coming.getByText(SECRET).waitFor();
        await other.page.reload();
        await theirs.getByRole('button', { name: 'Remove Away' }).click();
        await theirs.getByText('No entries yet', { exact: false }).waitFor();
        assert.equal(await other.page.getByRole('button', { name: 'Undo' }).count(), 0);
        await own.close();
        await other.close();
        assert.deepEqual([...own.errors, ...other.errors], []);
      });
});
