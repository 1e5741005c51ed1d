import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { barriers } from '../testing/accessibility.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { keysAct } from '../testing/keyboard.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('commands in the finder', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace'),
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']] }] } },
        }),
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  async function opened(path = '/', size: Size = 'desk', scheme = schemesAt(size)[0]): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await tab.page.clock.install();
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(t.url + path);
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    return tab;
  }

  /** Opens the palette and types until this command is first. */
  async function command(page: Page, words: string, name: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill(words);
    await page.getByRole('button', { name }).first().waitFor();
  }

  async function lowPage(title: string): Promise<string> {
    const { page } = await t.status(await t.page('team', 'sre', { title, urgency: 'low' }));
    await t.notified('ada');
    return page.id;
  }
  const stateOf = async (id: string) => (await ada.call('GET', `/api/pages/${id}`)).body.page.state;

  it('are in groups that are named in the language of the reader', async () => {
    const { page, close } = await openTab(browser);
    await ada.call('PATCH', '/api/profile', { language: 'de' });
    await bringSession(page, ada, t.url);
    await page.goto(t.url);
    await page.getByRole('heading', { level: 1, name: 'Jetzt' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator(`[style*="'Gehe zu'"]`).getByRole('button', { name: 'Dienstpläne' }).waitFor();
    await page.locator(`[style*="'Befehle'"]`).first().waitFor();
    await ada.call('PATCH', '/api/profile', { language: null });
    await close();
  });

  it('acknowledge all pages of the viewer, after a question that Enter does not answer by accident', async () => {
    const ids = [await lowPage('Backup took 2 h'), await lowPage('Certificate expires in May')];
    const { page, errors, close } = await opened();
    await command(page, 'ackn', 'Acknowledge all mine…');
    assert.deepEqual(await barriers(page), []);
    // The browser's time stands still, as for somebody who types fast.
    await page.clock.pauseAt(Date.now() + 2_000);
    await page.keyboard.press('Enter');
    await page.clock.runFor(300);
    const question = page.getByRole('dialog', { name: 'Acknowledge 2 pages?' });
    await question.getByText('Certificate expires in May').waitFor();
    await question.getByRole('button', { name: 'Acknowledge' }).focus();
    await page.keyboard.press('Enter');
    await page.clock.runFor(2_000);
    await page.clock.resume();
    assert.equal(await question.isVisible(), true);
    assert.deepEqual(await Promise.all(ids.map(stateOf)), ['notifying', 'notifying']);
    assert.deepEqual(await barriers(page), []);
    await keysAct(page);
    await question.getByRole('button', { name: 'Acknowledge' }).press('Enter');
    await page.getByText('2 pages acknowledged.').waitFor();
    await eventually(() => Promise.all(ids.map(stateOf)), ['acknowledged', 'acknowledged']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => Promise.all(ids.map(stateOf)), ['notifying', 'notifying']);
    for (const id of ids) await ada.call('POST', `/api/pages/${id}/resolve`);
    await command(page, 'acknowledge all', 'No pages wait for you');
    await page.keyboard.press('Enter');
    await page.getByText('No page waits for your answer.').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('act on the current page, and copy it', async () => {
    const id = await lowPage('Queue grows');
    const { page, close } = await opened(`/pages/${id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await command(page, 'resolve this', 'Resolve this page…');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Resolve this page?' });
    await question.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('1 page resolved.').waitFor();
    assert.equal(await stateOf(id), 'resolved');
    const copied = async (words: string, name: string) => {
      await command(page, words, name);
      await page.keyboard.press('Enter');
      await page
        .getByText(/ is copied\.$/)
        .first()
        .waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const json = JSON.parse(await copied('json', 'Copy the timeline as JSON'));
    assert.deepEqual([json.id, json.title, json.state], [id, 'Queue grows', 'resolved']);
    assert.equal(json.timeline.at(-1).kind, 'resolved');
    assert.equal(json.url, `${t.url}/pages/${id}`);
    await eventually(() => copied('copy the link', 'Copy the link to this view'), `${t.url}/pages/${id}`);
    await close();
  });

  it('stand beside no page that was found by other words', async () => {
    const found = await lowPage('Tapes are full');
    const { page, close } = await opened();
    await command(page, 'tapes', 'Tapes are full');
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/api/pages?**text=**', (route) => late.then(() => route.continue()));
    await page.getByRole('textbox', { name: 'Find' }).fill('zq');
    await page.getByText('Nothing with that name').waitFor();
    await page.getByRole('textbox', { name: 'Find' }).fill('zebra');
    await page.getByText('Nothing with that name').waitFor();
    arrive();
    await ada.call('POST', `/api/pages/${found}/resolve`);
    await close();
  });

  it('put somebody on call, and open the window of a team', async () => {
    const { page, errors, close } = await opened('/reports');
    await command(page, 'override', 'Override sre 0…');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Put somebody on call' });
    await dialog.getByRole('combobox', { name: 'Who' }).fill('Gra');
    await page.getByRole('option', { name: 'Grace' }).click();
    await dialog.getByRole('button', { name: 'Put on call' }).click();
    await dialog.waitFor({ state: 'detached' });
    const onCall = async () => {
      const { teams } = (await ada.call('GET', '/api/on-call')).body;
      return teams[0].schedules[0].stages[0].now[0].person.name;
    };
    await eventually(onCall, 'Grace');
    await command(page, 'silence', 'Silence SRE…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Maintenance window of SRE' }).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(errors, []);
    await close();
  });

  it('choose the theme, and look good themselves', async () => {
    for (const size of ['desk', 'phone'] as const)
      for (const scheme of schemesAt(size)) {
        const { page, close } = await opened('/', size, scheme);
        const other = scheme === 'dark' ? 'light' : 'dark';
        await command(page, 'o', 'Override sre 0…');
        await looksWell(page, `finder-commands-${size}-${scheme}`, size, false);
        await command(page, `${other} mode`, `${other === 'light' ? 'Light' : 'Dark'} mode`);
        await page.keyboard.press('Enter');
        await page.locator(`html[data-mantine-color-scheme="${other}"]`).waitFor();
        await close();
      }
  });
});
