import { after, before, describe, it } from 'node:test';
import { launchBrowser, openTab, type StoryBrowser } from '../testing/browser.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const TEAMS = '**/assets/teams-view-*.js';

describe('a tab that was opened before an upgrade', () => {
  let t: Story;
  let browser: StoryBrowser;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({ organization: { people: { ada: {} }, teams: { sre: { members: ['ada'] } } } }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  /**
   * Signs in and opens Now. Requests for the next view's script fail this many times: once when it is preloaded, once
   * when it is run.
   */
  async function outdated(times: number) {
    const tab = await openTab(browser);
    await tab.page.route(TEAMS, (route) => route.fulfill({ status: 404 }), { times });
    await tab.page.goto(await signInLink(t, 'ada'));
    await tab.page.getByRole('button', { name: /sign in/i }).click();
    await tab.page.getByRole('heading', { name: 'Now' }).waitFor();
    return tab;
  }

  it('is reloaded if a part of it no longer exists', async () => {
    const { page, close } = await outdated(2);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Alt+t')]);
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    await close();
  });

  it('reports if that does not help, instead of reloading for ever', async () => {
    const { page, close } = await outdated(100);
    await page.keyboard.press('Alt+t');
    await page.getByRole('heading', { name: 'This view does not work' }).waitFor();
    await page.unroute(TEAMS);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    await close();
  });
});
