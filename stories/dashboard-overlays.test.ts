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
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Menus, lists, dialogs and the palette are as accessible as the view below them. */
describe('dialogs and menus over a view', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let pageId: string;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace'),
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['grace'], ['ada']] }] } },
        }),
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    pageId = (await t.status(await t.page('team', 'sre', { title: 'Disk full' }))).page.id;
    // An acknowledged page has the menu of further actions.
    const answered = await ada.call('POST', `/api/pages/${pageId}/acknowledge`);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    await t.settle();
    t.receiver.inbox.takeAll();
    for (const name of ['Disk', 'Network'])
      await ada.call('POST', '/api/windows', { team: 'sre', name, minutes: 60 });
  });
  after(async () => {
    t.receiver.inbox.takeAll();
    await browser?.close();
    await t?.end();
  });

  /** A phone shows most filters of the list only when they are opened. */
  async function showFilters(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'State' }).waitFor();
    const folded = page.getByRole('button', { name: 'Filters' });
    if (await folded.isVisible()) await folded.click();
  }

  const OPENED: readonly (readonly [
    name: string,
    path: () => string,
    open: (page: Page) => Promise<void>,
  ])[] = [
    [
      'list',
      () => '/pages',
      async (page) => {
        await showFilters(page);
        await page.getByRole('combobox', { name: 'Urgency' }).click();
        await page.getByRole('option', { name: 'High urgency' }).waitFor();
      },
    ],
    [
      'searched-list',
      () => '/pages?show=all',
      async (page) => {
        await showFilters(page);
        await page.getByRole('combobox', { name: 'Person' }).fill('gra');
        await page.getByRole('option', { name: 'Grace' }).waitFor();
      },
    ],
    [
      'menu',
      () => `/pages/${pageId}`,
      async (page) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Reassign' }).waitFor();
      },
    ],
    [
      'finder',
      () => '/',
      async (page) => {
        await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByRole('textbox').last().fill('drill');
        await page.getByText('Send a drill…').waitFor();
      },
    ],
    [
      'keys',
      () => '/',
      async (page) => {
        await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
        await page.keyboard.press('Shift+?');
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      },
    ],
    [
      'dialog-with-list',
      () => '/teams/sre',
      async (page) => {
        await page.getByRole('button', { name: 'New window' }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
  ];

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`have no accessibility barrier, ${size} ${scheme}`, async () => {
        for (const [name, path, open] of OPENED) {
          // The menu in the head of a page exists only at desktop size, and a phone has no keyboard.
          if (size === 'phone' && ['keys', 'finder'].includes(name)) continue;
          const { page, errors, close } = await openTab(browser, size, scheme);
          await bringSession(page, ada, t.url);
          await page.goto(t.url + path());
          await open(page);
          await looksWell(page, `over-${name}-${size}-${scheme}`, size, false);
          assert.deepEqual(errors, []);
          await close();
        }
      });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`end several silences after a question, ${size} ${scheme}`, async () => {
        const active = async () => {
          const { body } = await ada.call('GET', '/api/windows?state=active');
          return body.windows.map((one: { name: string }) => one.name).toSorted();
        };
        for (const name of ['Disk', 'Network', 'Left alone'])
          if (!(await active()).includes(name))
            await ada.call('POST', '/api/windows', { team: 'sre', name, minutes: 60 });
        const { page, errors, close } = await openTab(browser, size, scheme);
        await bringSession(page, ada, t.url);
        await page.goto(`${t.url}/teams/sre`);
        const windows = page.getByRole('region', { name: 'Maintenance windows' });
        for (const name of ['Disk', 'Network'])
          await windows.getByRole('checkbox', { name: `Select ${name}` }).click();
        const bar = page.getByRole('region', { name: 'Selected windows and silences' });
        await bar.getByText('2 selected').waitFor();
        await bar.getByRole('button', { name: 'End now' }).click();
        const question = page.getByRole('dialog', { name: 'End 2 windows and silences now?' });
        await question.getByText('so nothing pages now.').waitFor();
        await looksWell(page, `windows-bulk-${size}-${scheme}`, size, false);
        await question.getByRole('button', { name: 'Keep them' }).click();
        assert.equal((await active()).length, 3);
        await bar.getByRole('button', { name: 'End now' }).click();
        await question.getByRole('button', { name: 'End now' }).click();
        await page.getByText('2 windows and silences ended.').waitFor();
        assert.deepEqual(await active(), ['Left alone']);
        assert.deepEqual(errors, []);
        await close();
      });
});
