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
import { looksWell } from '../testing/looks.ts';
import { type PageSource, pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';
import { weeklySchedule } from '../testing/weekly-schedule.ts';

describe('hand-offs in the dashboard', { timeout: 600_000 }, () => {
  let t: Story;
  let browser: StoryBrowser;
  let source: PageSource;
  let ada: SignedIn;
  let schedule: string;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace', 'edsger'),
          teams: { sre: { members: ['ada', 'grace', 'edsger'] } },
        }),
      }),
    ]);
    ada = await signIn(t, 'ada');
    source = await pageSource(t);
    schedule = await weeklySchedule(t, { name: 'Primary', stages: [['ada', 'grace'], ['edsger']] });
  });
  after(async () => {
    await browser?.close();
    t?.receiver.inbox.takeAll();
    await t?.end();
  });

  const path = () => `/api/schedules/${schedule}/handoff`;
  async function opened(size: Size, scheme: 'dark' | 'light', url = `/schedules/${schedule}`) {
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, await signIn(t, 'ada'), t.url);
    await tab.page.goto(t.url + url);
    return tab;
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'For the next people on call' });

  it("are prepared on the page of the schedule, and nobody overwrites another person's text", async () => {
    const { page, close, errors } = await opened('desk', 'dark');
    await page.getByRole('link', { name: 'Hand-off' }).click();
    await page.getByRole('heading', { name: 'Next hand-off' }).waitFor();
    await page.getByText('Ada → Grace').first().waitFor();
    await field(page).fill('The disk of **db-1** is replaced on Tuesday.');
    // Ada goes on writing while her text is saved.
    await page.route('**/handoff', async (route) => {
      await field(page).fill('The disk of **db-1** is replaced on Wednesday.');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved for the hand-off.').waitFor();
    await page.unroute('**/handoff');
    assert.equal(await field(page).inputValue(), 'The disk of **db-1** is replaced on Wednesday.');
    await page.getByRole('button', { name: 'Discard' }).waitFor();

    const grace = await signIn(t, 'grace');
    const body = { text: 'The disk of **db-1** waits for a part.', revision: 1 };
    assert.equal((await grace.call('PUT', path(), body)).status, 200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Save failed').or(page.getByText('That did not work')).first().waitFor();
    // Ada's text is still there, and she sees Grace's.
    assert.equal(await field(page).inputValue(), 'The disk of **db-1** is replaced on Wednesday.');
    await page.getByText('Grace changed the text while you were writing:').waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await ada.call('GET', path())).body.revision, 3);
    await close();
    assert.deepEqual(
      errors.filter((error) => !error.includes('409')),
      [],
    );
  });

  it('arrive in the inbox of both people, and lead to the note', async () => {
    const { body } = await ada.call('GET', path());
    const at = Temporal.Instant.from(body.at);
    const untilThen = async (before: Temporal.DurationLike) =>
      t.advance((await t.clock.now(t.db)).until(at.subtract(before)));
    await untilThen({ minutes: 20 });
    for (const title of ['Disk of db-1 is full', 'Disk of db-1 is full', 'Replica is late'])
      await source.post({ title, urgency: 'high' });
    await t.settle();
    // Otherwise the alarm would cover the screen.
    for (const { id } of (await ada.call('GET', '/api/pages?state=open')).body.pages)
      assert.equal((await ada.call('POST', `/api/pages/${id}/acknowledge`, {})).status, 200);
    await t.settle();
    const window = {
      ...{ team: 'sre', name: 'Upgrade of the database', source: source.id },
      ends_at: at.add({ hours: 12 }).toString(),
    };
    assert.equal((await ada.call('POST', '/api/windows', window)).status, 201);
    const override = {
      ...{ stage: 1, user: t.acme.users.ada, starts_at: at.add({ hours: 30 }).toString() },
      ends_at: at.add({ hours: 34 }).toString(),
    };
    assert.equal((await ada.call('POST', `/api/schedules/${schedule}/overrides`, override)).status, 201);
    for (const size of ['desk', 'phone'] as Size[])
      for (const scheme of schemesAt(size)) {
        const { page, close } = await opened(size, scheme, `/schedules/${schedule}/handoff`);
        await page.getByText('Upgrade of the database').waitFor();
        await looksWell(page, `handoff-next-${size}-${scheme}`, size);
        await close();
      }
    await untilThen({ seconds: -10 });
    await t.app.duties.runAll();
    for (const size of ['desk', 'phone'] as Size[])
      for (const scheme of schemesAt(size)) {
        const { page, close, errors } = await opened(size, scheme, '/inbox');
        await page.getByRole('link', { name: 'Hand-off of Primary: Ada to Grace' }).click();
        await page.getByRole('heading', { name: 'From Ada' }).waitFor();
        await page.getByText('is replaced on Wednesday.').waitFor();
        await page.getByText('3 pages, 3 at high urgency.').waitFor();
        await looksWell(page, `handoff-note-${size}-${scheme}`, size);
        await close();
        assert.deepEqual(errors, []);
      }
  });
});
