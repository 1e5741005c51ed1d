import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openTab, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { keysAct } from '../testing/keyboard.ts';
import { looksWell } from '../testing/looks.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Keys pressed at the moment something appears belong to the screen before it. */
describe('typing', () => {
  let t: Story;
  let browser: StoryBrowser;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        automatic: true,
        organization: {
          people: { ada: person, grace: person },
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
        },
      }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    elsewhere.close();
  });

  async function signedIn(person: string): Promise<Tab> {
    const tab = await openTab(browser);
    await tab.page.clock.install();
    await tab.page.goto(await signInLink(t, person));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    return tab;
  }

  const raise = (title: string) => t.page('team', 'sre', { title, text: 'Error rate 41 %', urgency: 'high' });
  const stateOf = async (request: string) => (await t.status(request)).page.state;

  /** From here on, the browser's time moves only when the test moves it. */
  const stopTime = (page: Page) => page.clock.pauseAt(Date.now() + 2_000);

  async function press(page: Page, ...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  it('in another field answers no page, whatever is typed', async () => {
    const { page, close } = await signedIn('ada');
    await page.keyboard.press('Alt+p');
    const field = page.getByRole('searchbox', { name: 'Search pages' });
    await field.click();
    await stopTime(page);
    await page.keyboard.type('rare ');
    await page.keyboard.down('x');
    const request = await raise('Checkout returns 500');
    const alarm = page.getByRole('alertdialog', { name: 'Checkout returns 500' });
    await alarm.waitFor();
    for (let turn = 0; turn < 10; turn++) {
      await press(page, 'a', 'r', 'Enter', 'Space', 'o', 'Escape');
      await page.clock.runFor(300);
    }
    // A key pressed before the alarm appeared is still held down, long after the first second.
    await page.clock.runFor(3_000);
    await press(page, 'a', 'Enter', 'Space');
    await page.keyboard.up('x');
    assert.equal(await stateOf(request), 'notifying');
    assert.equal(await alarm.isVisible(), true);
    assert.equal(
      await alarm.getByRole('button', { name: 'Acknowledge' }).evaluate((one) => one.matches(':focus')),
      false,
    );

    await page.clock.runFor(1_000);
    await page.clock.resume();
    await page.keyboard.press('a');
    await alarm.waitFor({ state: 'detached' });
    await eventually(() => stateOf(request), 'acknowledged');
    await looksWell(page, 'undo-acknowledge', 'desk', false);

    await page.getByRole('button', { name: 'Undo' }).click();
    await alarm.waitFor();
    assert.equal(await stateOf(request), 'notifying');
    await keysAct(page);
    await page.keyboard.press('a');
    await alarm.waitFor({ state: 'detached' });
    await t.post(`/api/pages/${(await t.status(request)).page.id}/resolve`, {});
    await close();
  });

  it('offers to undo a resolution for half a minute', async () => {
    const request = await raise('Queue is full');
    const { page, close } = await signedIn('ada');
    const alarm = page.getByRole('alertdialog');
    await alarm.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Raised by Ada').waitFor();
    await alarm.waitFor({ state: 'detached' });
    await keysAct(page);
    await page.keyboard.press('r');
    await page.getByText('Ada resolved it').waitFor();
    await page.clock.runFor(20_000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ada undid the resolution').waitFor();
    assert.equal(await stateOf(request), 'notifying');
    // Nothing can be pressed while it has only just appeared.
    await alarm.waitFor();
    await page.clock.runFor(400);
    await alarm.getByRole('button', { name: 'Acknowledge' }).click();
    await alarm.waitFor({ state: 'detached' });
    await page.clock.runFor(400);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await eventually(() => stateOf(request), 'resolved');
    await page.clock.runFor(60_000);
    await page.getByRole('button', { name: 'Undo' }).first().waitFor({ state: 'detached' });
    await close();
  });

  it("acts in a list only on the selection, and asks first about other people's pages", async () => {
    const request = await raise('Nightly export is late');
    const { page, close } = await signedIn('grace');
    await page.getByRole('link', { name: 'Nightly export is late' }).waitFor();
    await keysAct(page);
    await press(page, 'a', 'r');
    await page.getByText('Select a page first').first().waitFor();
    assert.equal(await stateOf(request), 'notifying');

    await stopTime(page);
    await press(page, 'j', 'a');
    await page.clock.runFor(200);
    const question = page.getByRole('dialog', { name: 'Acknowledge somebody else’s page?' });
    await question.getByText('was not sent to you but to SRE').waitFor();
    // Keys that were typed before the dialog was visible must not answer its question.
    await press(page, 'a', 'r', 'Enter', 'Space');
    assert.equal(await question.isVisible(), true);
    await page.clock.runFor(2_000);
    await page.clock.resume();
    await looksWell(page, 'asks-first', 'desk', false);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(await stateOf(request), 'notifying');

    await page.getByRole('link', { name: 'Nightly export is late' }).click();
    await page.getByText('Raised by Ada').waitFor();
    await page.keyboard.press('r');
    await keysAct(page);
    assert.equal(await stateOf(request), 'notifying');
    await page.keyboard.press('r');
    await page
      .getByRole('dialog', { name: 'Resolve somebody else’s page?' })
      .getByRole('button', { name: 'Resolve' })
      .click();
    await eventually(() => stateOf(request), 'resolved');
    await close();
  });
});
