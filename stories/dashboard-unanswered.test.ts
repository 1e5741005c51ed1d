import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { APIResponse, Locator, Page } from 'playwright-core';
import {
  launchBrowser,
  openTab,
  type Scheme,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** `--alarm` of the dark theme. */
const RED = 'rgb(255, 93, 82)';

describe('a page that nobody answered, in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: person, grace: person, edsger: person },
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'edsger').execute();
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    elsewhere.close();
  });

  /** The whole escalation ends at once, because nobody in the team can be reached when the page gets to them. */
  async function unanswered(title: string): Promise<string> {
    const accepted = await t.post('/page/team', {
      recipient: 'sre',
      title,
      text: 'Error rate 41 %',
      urgency: 'high',
    });
    const request = String(accepted.body.service_request_id);
    await verified(false);
    // The first step may run before the contact methods are unverified; then the page goes through its rounds.
    await eventually(
      () => t.advance({ minutes: 5 }).then(async () => (await t.status(request)).page.state),
      'expired',
    );
    await verified(true);
    return (await t.status(request)).page.id;
  }

  async function verified(yes: boolean): Promise<void> {
    await t.db
      .updateTable('contact_methods')
      .set({ verified_at: yes ? t.clock.sql : null })
      .execute();
  }

  async function signedIn(size: Size, scheme: Scheme): Promise<{ page: Page; close(): Promise<void> }> {
    const tab = await openTab(browser, size, scheme);
    await tab.page.goto(await signInLink(t, 'edsger'));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    return tab;
  }

  /** Loads the view again. From then on, the browser gets the same lists of pages, even for requests under way. */
  async function keepLists(page: Page): Promise<void> {
    const first = new Map<string, Promise<APIResponse>>();
    await page.route('**/api/pages?*', async (route) => {
      const url = route.request().url();
      const response = first.get(url) ?? route.fetch();
      first.set(url, response);
      await route.fulfill({ response: await response });
    });
    await page.reload();
    // The document comes with a list, and the view reads it once more.
    await eventually(async () => first.size, 1);
    await Promise.all(first.values());
  }

  const rows = (page: Page): Locator =>
    page.getByRole('article').filter({ has: page.locator('a[data-row][href^="/pages/"]') });
  const titleOf = (page: Page) => () => page.title();

  it('is red at the top of Now and of Pages until somebody marks it as handled', async () => {
    const { page, close } = await signedIn('desk', 'dark');
    await page.getByText('Nothing is open.').waitFor();
    await unanswered('Checkout returns 500');
    await t.page('team', 'sre', { title: 'Newer, and notifying', text: 'x', urgency: 'high' });
    await rows(page).nth(1).waitFor();
    assert.match(
      (await rows(page).first().textContent()) ?? '',
      /^expired.*Checkout returns 500.*nobody answered/,
    );
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('article')).borderTopColor`),
      RED,
    );
    await page.getByText('2 without an answer').first().waitFor({ state: 'attached' });
    await eventually(titleOf(page), '(1) Nobody answered · Now · Tocsin');
    await page.keyboard.press('Alt+p');
    await page.getByRole('heading', { name: 'Pages', level: 1 }).waitFor();
    assert.match((await rows(page).first().textContent()) ?? '', /Checkout returns 500/);

    await page.getByRole('button', { name: 'Mark as handled' }).click();
    await page.getByText('Checkout returns 500').waitFor({ state: 'detached' });
    await eventually(titleOf(page), 'Pages · Tocsin');
    await page.goto(`${t.url}/pages?show=resolved`);
    await page.getByRole('link', { name: 'Checkout returns 500' }).click();
    await page.getByText('Edsger marked it as handled in the dashboard').waitFor();
    await close();
    await resolveAll();
  });

  it('is paged again: a new page that is linked to it', async () => {
    const former = await unanswered('Backups stopped');
    const { page, close } = await signedIn('desk', 'dark');
    await page.getByRole('button', { name: 'Page again' }).click();
    await page.getByText('Paged again: the people on call now are notified.').waitFor();
    await page.getByText('Nobody answered').waitFor({ state: 'detached' });
    await t.settle();
    await page.getByText('notifying ·').waitFor();
    assert.equal(await rows(page).count(), 1);
    await page.getByRole('link', { name: 'Backups stopped' }).click();
    await page.getByText('Stage 1 · Ada', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Nobody answered the previous page' }).click();
    await page.waitForURL(`${t.url}/pages/${former}`);
    await page.getByText('Edsger paged again').waitFor();
    await page.getByRole('link', { name: 'It was paged again' }).waitFor();
    await close();
    await resolveAll();
  });

  it('is paged again once if two people press at once, and the second one sees that page', async () => {
    const former = await unanswered('Certificates expired');
    const { page, close } = await signedIn('desk', 'dark');
    const ada = await signIn(t, 'ada');
    await keepLists(page);
    const button = page.getByRole('button', { name: 'Page again' });
    await button.waitFor();
    // Ada is faster, and this browser does not know it yet.
    const made = await ada.call('POST', `/api/pages/${former}/again`);
    assert.equal(made.status, 201);
    await button.click();
    await page.getByText('Ada has already paged again. This is the new page.').waitFor();
    await page.waitForURL(`${t.url}/pages/${made.body.page_id}`);
    await close();
    await resolveAll();
  });

  it('does not hide new pages after a bad night', async () => {
    for (const night of [1, 2, 3, 4, 5]) await unanswered(`Page ${night} of the night`);
    await t.page('team', 'sre', { title: 'Rings now', text: 'x', urgency: 'high' });
    const { page, close } = await signedIn('desk', 'dark');
    await page.getByRole('link', { name: 'Rings now' }).waitFor();
    assert.equal(await rows(page).count(), 4);
    await page.getByRole('button', { name: 'Show 2 more that nobody answered' }).click();
    await page.getByRole('link', { name: 'Page 1 of the night' }).waitFor();
    assert.equal(await rows(page).count(), 6);

    await page.getByRole('button', { name: 'Mark all 5 as handled' }).click();
    const question = page.getByRole('dialog', { name: 'Mark all 5 pages as handled?' });
    // The question names pages that the list hid, too.
    await question.getByText('Page 1 of the night').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await rows(page).count(), 6);
    await page.getByRole('button', { name: 'Mark all 5 as handled' }).click();
    // The question is not about a page that expires while somebody reads it.
    await unanswered('Page 6 of the night');
    await page.getByRole('link', { name: 'Page 6 of the night', includeHidden: true }).waitFor();
    await question.getByRole('button', { name: 'Mark as handled' }).click();
    await page.getByText('5 pages are marked as handled.').waitFor();
    await page.getByRole('link', { name: 'Page 5 of the night' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('link', { name: 'Page 6 of the night' }).isVisible(), true);
    await close();
    await resolveAll();
  });

  it('looks like something that needs action', async () => {
    await unanswered('Queue of invoices is stuck');
    const id = await unanswered('Checkout returns 500 in eu-west-1');
    await t.page('team', 'sre', { title: 'Certificates expire in two days', text: 'x', urgency: 'medium' });
    for (const size of ['desk', 'phone'] as const)
      for (const scheme of schemesAt(size)) {
        const { page, close } = await signedIn(size, scheme);
        await page.getByRole('button', { name: 'Page again' }).first().waitFor();
        await looksWell(page, `unanswered-${size}-${scheme}`, size);
        await page.getByRole('button', { name: 'Mark all 2 as handled' }).click();
        await page.getByRole('dialog', { name: 'Mark all 2 pages as handled?' }).waitFor();
        await looksWell(page, `handle-all-${size}-${scheme}`, size, false);
        await page.goto(`${t.url}/pages/${id}`);
        await page.getByText('Nobody answered this page.').waitFor();
        await looksWell(page, `unanswered-page-${size}-${scheme}`, size);
        await close();
      }
    await resolveAll();
  });

  async function resolveAll(): Promise<void> {
    const { pages } = (await t.get('/api/pages?state=open')).body as { pages: { id: string }[] };
    for (const { id } of pages) assert.equal((await t.post(`/api/pages/${id}/resolve`, {})).status, 200);
  }
});
