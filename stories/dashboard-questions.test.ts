import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Scheme,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Friday. */
const NOW = '2026-11-20T12:00:00Z';
const WEEKS = 26;
const NAMES: Record<string, string> = {
  ada: 'Ada Lovelace',
  alan: 'Alan Turing',
  grace: 'Grace Hopper',
  joan: 'Joan Clarke',
};

/** What the dashboard asks before a change that takes people off call, in a browser. */
describe('the questions before published shifts change', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let schedule: string;
  const id = (name: string) => t.acme.users[name] ?? '';
  const path = (what = '') => `/api/schedules/${schedule}${what}`;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: Object.fromEntries(Object.keys(NAMES).map((name) => [name, {}])),
          teams: { sre: { members: Object.keys(NAMES) } },
        },
      }),
    ]);
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    for (const [key, name] of Object.entries(NAMES))
      await t.db
        .updateTable('users')
        .set({ name, role: key === 'ada' ? 'owner' : 'member' })
        .where('id', '=', id(key))
        .execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });
  beforeEach(async () => {
    await t.db.deleteFrom('schedules').execute();
    await t.db.updateTable('users').set({ disabled_at: null }).execute();
    const stage = { members: ['alan', 'grace', 'joan'].map(id) };
    const made = await ada.call('POST', '/api/schedules', {
      ...{ name: 'Site Reliability', team: 'sre', time_zone: 'Europe/Berlin', backstop: id('alan') },
      ...{ strategy: 'rotation', plan_ahead_weeks: WEEKS, rest_hours: 0 },
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, ...stage }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    schedule = made.body.id;
  });

  async function open(where: string, size: Size = 'desk', scheme: Scheme = 'dark'): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(t.url + where);
    return tab;
  }

  type Shift = { user_id: string | null; starts_at: Temporal.Instant; ends_at: Temporal.Instant };

  /** All current and future shifts, in chronological order. */
  async function shifts(): Promise<Shift[]> {
    return t.db
      .selectFrom('shifts')
      .select(['user_id', 'starts_at', 'ends_at'])
      .where('schedule_id', '=', schedule)
      .where('ends_at', '>', await t.clock.now(t.db))
      .orderBy('starts_at')
      .execute();
  }

  const isOf = (name: string) => (shift: Shift) => shift.user_id === id(name);

  /** How many shifts end with a different person; the current one may be cut in two. */
  function handedOver(before: readonly Shift[], now: readonly Shift[]): number {
    return before.filter(({ user_id, ends_at }) => {
      const later = now.find((shift) => Temporal.Instant.compare(shift.ends_at, ends_at) >= 0);
      return later?.user_id !== user_id;
    }).length;
  }

  /** How many shifts change hands according to the question. */
  async function numberIn(question: Locator): Promise<number> {
    const told = question.getByText(/published shifts (go|goes) to somebody else/);
    await told.first().waitFor();
    const [, number] = /(\d+) of \d+ published/.exec((await told.first().textContent()) ?? '') ?? [];
    return Number(number);
  }

  const askDisable = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'Disable' }).click();
    return page.getByRole('dialog', { name: 'Disable Alan Turing?' });
  };

  const askWithoutAlan = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'Take Alan Turing out' }).click();
    await page.getByRole('button', { name: 'Save and plan' }).click();
    return page.getByRole('dialog', { name: 'Change published shifts?' });
  };

  it('show how many shifts go to somebody else before a person is disabled, and exactly those do', async () => {
    const before = await shifts();
    const { page, errors, close } = await open(`/people/${id('alan')}`);
    const question = await askDisable(page);
    const number = await numberIn(question);
    assert.ok(number > 0 && number >= before.filter(isOf('alan')).length, `${number}`);
    await question.getByText('Site Reliability loses its backstop').waitFor();
    await question.getByRole('button', { name: 'Keep them' }).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await shifts(), before, 'asking changes nothing');
    await askDisable(page);
    await numberIn(question);
    await question.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Alan Turing is disabled.').waitFor();
    const now = await shifts();
    assert.deepEqual([now.some(isOf('alan')), handedOver(before, now)], [false, number]);
    assert.deepEqual(errors, []);
    await close();
  });

  it('allow nobody to be disabled before the consequences are known', async () => {
    const { page, close } = await open(`/people/${id('alan')}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/leaving', async (route) => {
      await held.promise;
      await route.continue();
    });
    const question = await askDisable(page);
    assert.equal(await question.getByRole('button', { name: 'Disable' }).isDisabled(), true);
    held.resolve();
    await numberIn(question);
    assert.equal(await question.getByRole('button', { name: 'Disable' }).isDisabled(), false);
    await close();
  });

  it('report that the forecast cannot be computed, and try again', async () => {
    const { page, close } = await open(`/people/${id('alan')}`);
    await page.route('**/leaving', (route) =>
      route.fulfill({
        status: 403,
        json: { error: 'Forbidden', details: [{ field: 'id', message: 'Not just now.' }] },
      }),
    );
    const question = await askDisable(page);
    await question.getByText('Not just now.').waitFor();
    assert.equal(await question.getByRole('button', { name: 'Disable' }).isDisabled(), true);
    await page.unroute('**/leaving');
    await question.getByRole('button', { name: 'Try again' }).click();
    await numberIn(question);
    await close();
  });

  it('show how many shifts go to somebody else before a member is removed from a schedule', async () => {
    const before = await shifts();
    const { page, errors, close } = await open(`/schedules/${schedule}/edit`);
    const question = await askWithoutAlan(page);
    const number = await numberIn(question);
    await question.getByRole('button', { name: 'Go back' }).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await shifts(), before, 'asking changes nothing');
    await page.getByRole('button', { name: 'Save and plan' }).click();
    await question.getByRole('button', { name: 'Save and plan' }).click();
    await page.waitForURL(`**/schedules/${schedule}`);
    const now = await shifts();
    assert.deepEqual([now.some(isOf('alan')), handedOver(before, now)], [false, number]);
    assert.deepEqual(errors, []);
    await close();
  });

  it('appear before a schedule is removed, which is possible only once it is disabled', async () => {
    const { page, errors, close } = await open(`/schedules/${schedule}/edit`);
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    await remove.waitFor();
    assert.equal(await remove.isDisabled(), true);
    // Pressed anyway, it says why, because a phone shows no title.
    await remove.click({ force: true });
    await page.getByText('Disable it first and save, because it may be answering pages.').waitFor();
    assert.equal((await ada.call('PATCH', path(), { enabled: false })).status, 200);
    await page.reload();
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Remove Site Reliability?' });
    await question.getByText('This cannot be undone').waitFor();
    await question.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('Site Reliability is removed.').waitFor();
    assert.equal((await ada.call('GET', path())).status, 404);
    assert.deepEqual(errors, []);
    await close();
  });

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`look good at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const { page, errors, close } = await open(`/people/${id('alan')}`, size, scheme);
        await numberIn(await askDisable(page));
        await looksWell(page, `question-disable-${size}-${scheme}`, size, false);
        await page.goto(`${t.url}/schedules/${schedule}/edit`);
        await numberIn(await askWithoutAlan(page));
        await looksWell(page, `question-members-${size}-${scheme}`, size, false);
        await ada.call('PATCH', path(), { enabled: false });
        await page.goto(`${t.url}/schedules/${schedule}/edit`);
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await looksWell(page, `question-remove-${size}-${scheme}`, size, false);
        assert.deepEqual(errors, []);
        await close();
      });
});
