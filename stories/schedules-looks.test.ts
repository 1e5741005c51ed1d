import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { LANGUAGE_NAMES } from '../src/language/contract.ts';
import {
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  visit,
} from '../testing/browser.ts';
import { looksWell, unfold } from '../testing/looks.ts';
import { READ_IN, readIn } from '../testing/reads-well.ts';
import { type RotaStory, rotaStory } from '../testing/rota-story.ts';

/** Schedules and availability, light and dark, at desktop and phone size; the screenshots are for people to look at. */
describe('the looks of schedules and availability', () => {
  let browser: StoryBrowser;
  let rota: RotaStory;

  before(async () => {
    [browser, rota] = await Promise.all([launchBrowser(), rotaStory()]);
    // Both people share one seat of stage 1, so the plan stays as it is.
    const juniors = ['ada', 'alan'].map((name) => ({ person: rota.t.acme.users[name], level: 'junior' }));
    const [ada, alan] = juniors.map(({ person }) => person);
    const rules = {
      ...{ never_two_juniors: true, people: juniors, never_together: [[ada, alan]] },
      shadows: [{ person: rota.t.acme.users.alan, of: ada, from: '2026-12-01', until: null }],
    };
    const marked = await rota.by.ada.call('PATCH', `/api/schedules/${rota.scheduleId}`, rules);
    assert.equal(marked.status, 200, JSON.stringify(marked.body));
    await rota.draft();
  });
  after(async () => {
    await browser?.close();
    await rota?.end();
  });

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of schemesAt(size)) {
      it(`hold at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await openTab(browser, size, scheme);
        await rota.signInTo(tab, 'ada');
        await tab.page.goto(rota.t.url);
        await tab.page.getByRole('heading', { level: 1 }).waitFor();
        for (const [view, path, sign] of await views()) {
          // Whether a path opens its view on load does not depend on the size, so loading at one size is enough.
          await (size === 'desk' ? tab.page.goto(rota.t.url + path) : visit(tab.page, path));
          await tab.page.getByText(sign).first().waitFor();
          await unfold(tab.page);
          await looksWell(tab.page, `${view}-${size}-${scheme}`, size, size === 'desk');
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });
    }
  }

  async function views() {
    const one = `/schedules/${rota.scheduleId}`;
    const gap = await rota.shiftOf('grace');
    return [
      ['schedules', '/schedules', 'Site Reliability'],
      ['schedule', one, 'Publish'],
      ['schedule-people', `${one}?by=person`, 'Ken Thompson'],
      ['schedule-week', `${one}?view=week&zone=schedule`, 'Stage 1'],
      ['schedule-month', `${one}?view=month`, 'Stage 1'],
      ['schedule-shift', `${one}?shift=${gap}`, 'Shift ID'],
      ['schedule-new', '/schedules/new', 'Next hand-offs'],
      ['schedule-edit', `${one}/edit`, 'Next hand-offs'],
      ['availability', '/availability', 'Coming up'],
      ['availability-team', '/availability/team', 'Left of'],
      ['availability-upload', '/availability/upload', 'Drop a CSV file'],
      ['availability-calendars', '/availability/calendars', 'Follow a calendar'],
    ] as const;
  }

  /** A row with problems, and a file that could not be read to its end. */
  async function uploadBadRows(page: Page): Promise<void> {
    const buffer = Buffer.from('email,start_time,end_time\nnobody@example.com,2026-12-24,\n"ada');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'absences.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('table').waitFor();
  }

  for (const reading of READ_IN)
    it(`can be read in ${LANGUAGE_NAMES[reading.language]}`, async () => {
      const who = { person: 'ada', session: rota.by.ada };
      const { tab, check, end } = await readIn(browser, rota.t, who, reading, [
        ...['Acme', 'Site Reliability', 'Round the clock', 'Ada Lovelace'],
        // The columns of the file.
        ...['email', 'name', 'start_time', 'end_time'],
      ]);
      await tab.page.goto(rota.t.url);
      await tab.page.getByRole('heading', { level: 1 }).waitFor();
      for (const [view, path] of await views()) {
        await visit(tab.page, path);
        await tab.page.getByRole('heading', { level: 1 }).first().waitFor();
        await unfold(tab.page);
        if (view === 'availability-upload') await uploadBadRows(tab.page);
        await check(view);
      }
      // The browser logs the refusal of the file.
      assert.deepEqual(
        tab.errors.filter((error) => !error.endsWith('/api/availabilities/upload')),
        [],
      );
      await end();
    });
});
