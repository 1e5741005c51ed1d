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
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { keysAct } from '../testing/keyboard.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/**
 * Ada is on call for SRE; Grace is a member of its team and was not notified. Edsger is the only member of Payments.
 */
describe('several pages and moments at once', () => {
  let t: Story;
  let browser: StoryBrowser;
  let people: Record<'ada' | 'grace' | 'edsger', SignedIn>;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace', 'edsger'),
          teams: {
            sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']] }] },
            payments: { members: ['edsger'], schedules: [{ stages: [['edsger']] }] },
          },
        }),
      }),
    ]);
    // Managers of a team may create its webhooks.
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    const [ada, grace, edsger] = [
      await signIn(t, 'ada'),
      await signIn(t, 'grace'),
      await signIn(t, 'edsger'),
    ];
    people = { ada, grace, edsger };
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  /** `clock`: whether the story controls the time of the browser. */
  async function opened(
    person: keyof typeof people,
    path: string,
    size: Size = 'desk',
    { clock = false } = {},
  ): Promise<Tab> {
    const tab = await openTab(browser, size, schemesAt(size)[0]);
    if (clock) await tab.page.clock.install();
    await bringSession(tab.page, people[person], t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }

  /** Raises pages, and returns their ids by title. */
  async function raise(team: 'sre' | 'payments', urgency: string, ...titles: string[]) {
    const ids: Record<string, string> = {};
    for (const title of titles) {
      const { page } = await t.status(await t.page('team', team, { title, urgency }));
      await t.notified(team === 'sre' ? 'ada' : 'edsger');
      ids[title] = page.id;
    }
    return ids;
  }

  const stateOf = async (id = '') => (await people.edsger.call('GET', `/api/pages/${id}`)).body.page.state;
  const areAll = (ids: Record<string, string>, state: string) =>
    eventually(
      () => Promise.all(Object.values(ids).map(stateOf)),
      Object.values(ids).map(() => state),
    );
  const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select ${title}` });
  const resolveAll = async (ids: Record<string, string>) => {
    for (const id of Object.values(ids)) {
      await people.ada.call('POST', `/api/pages/${id}/resolve`);
      await people.edsger.call('POST', `/api/pages/${id}/resolve`);
    }
  };

  it("asks before it acknowledges other people's pages, does so for a range of rows, and undoes it", async () => {
    const ids = await raise(
      'sre',
      'high',
      'Disk of db-1 is full',
      'Disk of db-2 is full',
      'Disk of db-3 is full',
    );
    const { page, errors, close } = await opened('grace', '/pages');
    await box(page, 'Disk of db-1 is full').click();
    await box(page, 'Disk of db-3 is full').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected pages' });
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    const question = page.getByRole('dialog', { name: 'Acknowledge 3 pages of other people?' });
    await question.getByText('Disk of db-2 is full to SRE').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(await bar.getByText('3 selected').count(), 1, 'Escape closes the question and no more');
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await question.getByRole('button', { name: 'Leave them' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await stateOf(ids['Disk of db-2 is full']), 'notifying');

    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await question.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('3 pages acknowledged.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await areAll(ids, 'acknowledged');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 3 pages.').waitFor();
    await areAll(ids, 'notifying');
    assert.deepEqual(errors, []);
    await resolveAll(ids);
    await close();
  });

  it('resolves own pages at once by keyboard, but never in the first second', async () => {
    const ids = await raise('sre', 'low', 'Certificate expires in May', 'Backup took 2 h');
    const { page, close } = await opened('ada', '/pages', 'desk', { clock: true });
    await page.getByRole('link', { name: 'Backup took 2 h' }).waitFor();
    await page.clock.pauseAt(Date.now() + 2_000);
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    assert.equal(await box(page, 'Backup took 2 h').isChecked(), true);
    // As by a person who continues to type without having seen the bar appear.
    await page.keyboard.press('r');
    await page.clock.runFor(2_000);
    await areAll(ids, 'notifying');
    await page.clock.resume();
    await keysAct(page);
    await page.keyboard.press('r');
    await page.getByText('2 pages resolved.').waitFor();
    await areAll(ids, 'resolved');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await close();
  });

  it('names the pages that could not be answered with the reason, and leaves them selected', async () => {
    const own = await raise('sre', 'low', 'Replica lags');
    const ids = { ...own, ...(await raise('payments', 'low', 'Export of invoices is late')) };
    const { page, errors, close } = await opened('ada', '/pages');
    await page.getByRole('checkbox', { name: 'Select all 2 pages shown' }).click();
    await page.getByRole('button', { name: 'Resolve', exact: false }).last().waitFor();
    const bar = page.getByRole('region', { name: 'Selected pages' });
    await bar.getByRole('button', { name: 'Resolve' }).click();
    const question = page.getByRole('dialog', { name: 'Resolve 2 pages?' });
    await question.getByText('One of them was not sent to you.').waitFor();
    await question.getByText('Export of invoices is late to PAYMENTS').waitFor();
    assert.equal(await question.getByText('Replica lags').count(), 0);
    await question.getByRole('button', { name: 'Resolve' }).click();
    const report = page.getByRole('dialog', { name: '1 page could not be resolved' });
    await report.getByText('belongs to the team PAYMENTS; only they and admins can act on it').waitFor();
    await looksWell(page, 'pages-bulk-report', 'desk', false);
    await report.getByRole('button', { name: 'Close' }).first().click();
    assert.equal(await stateOf(own['Replica lags']), 'resolved');
    assert.equal(await box(page, 'Export of invoices is late').isChecked(), true);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    // The browser itself logs each refusal.
    assert.ok(errors.every((error) => error.includes('403')));
    await resolveAll(ids);
    await close();
  });

  it('reassigns several pages', async () => {
    const ids = await raise('sre', 'high', 'Queue grows', 'Queue is full');
    const { page, close } = await opened('grace', '/pages');
    await page.getByRole('checkbox', { name: 'Select all 2 pages shown' }).click();
    await page.getByRole('button', { name: 'Reassign' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reassign' });
    await dialog.getByText('Queue grows').waitFor();
    await dialog.getByRole('combobox', { name: 'People' }).fill('Eds');
    await page.getByRole('option', { name: /Edsger/ }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Reassign' }).click();
    await page.getByText('2 pages reassigned.').waitFor();
    await t.settle();
    await t.notified('edsger', 'edsger');
    await resolveAll(ids);
    await close();
  });

  it('shows the selection in every look, and opens rows wherever they are touched', async () => {
    const ids = await raise(
      'sre',
      'high',
      'Checkout returns 500 in eu-west-1',
      'Nightly billing export is late',
    );
    await people.grace.call('POST', `/api/pages/${ids['Nightly billing export is late']}/acknowledge`);
    for (const size of ['desk', 'phone'] as const)
      for (const scheme of schemesAt(size)) {
        const { page, errors, close } = await openTab(browser, size, scheme);
        await bringSession(page, people.grace, t.url);
        await page.goto(`${t.url}/pages`);
        await box(page, 'Checkout returns 500 in eu-west-1').click();
        await box(page, 'Nightly billing export is late').click();
        await page.getByText('2 selected').waitFor();
        await looksWell(page, `pages-selected-${size}-${scheme}`, size, false);
        await page
          .getByRole('region', { name: 'Selected pages' })
          .getByRole('button', { name: 'Resolve' })
          .click();
        await page.getByRole('dialog').getByText('was not sent to you').first().waitFor();
        await looksWell(page, `pages-bulk-question-${size}-${scheme}`, size, false);
        await page.getByRole('button', { name: 'Leave them' }).click();

        await page.goto(`${t.url}/people`);
        const line = page.getByRole('listitem').filter({ hasText: 'edsger@example.com' });
        // Far from the name, on another part of the row.
        const { width, height } = (await line.boundingBox()) ?? { width: 0, height: 0 };
        await line.click({ position: { x: width - 20, y: height - 12 } });
        await page.getByRole('heading', { name: 'Edsger', level: 1 }).waitFor();
        assert.deepEqual(errors, []);
        await close();
      }
    await resolveAll(ids);
  });

  it('acknowledges and resolves moments together, and reopens them by undo', async () => {
    const made = await people.grace.call('POST', '/api/webhooks', {
      ...{ team: t.acme.teams.sre, name: 'Scripts', type: 'custom' },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    for (const name of ['Node 17 is slow', 'Node 18 is slow'])
      await fetch(made.body.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, type: 'alert' }),
      });
    await t.settle();
    const { page, errors, close } = await opened('grace', '/moments');
    await page.getByRole('checkbox', { name: 'Select all 2 moments shown' }).click();
    const bar = page.getByRole('region', { name: 'Selected moments' });
    await looksWell(page, 'moments-selected', 'desk', false);
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('2 moments acknowledged.').waitFor();
    await page.getByRole('checkbox', { name: 'Select all 2 moments shown' }).click();
    await bar.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('2 moments resolved.').waitFor();
    const open = async () =>
      (await people.grace.call('GET', '/api/moments?state=open,acknowledged')).body.moments.length;
    assert.equal(await open(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 2 moments.').waitFor();
    assert.equal(await open(), 2);
    assert.deepEqual(errors, []);
    await close();
  });
});
