import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
import { eventually } from '../testing/eventually.ts';
import { keysAct, listReady } from '../testing/keyboard.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const NAMES: Record<string, string> = {
  ada: 'Ada Lovelace',
  grace: 'Grace Hopper',
  alan: 'Alan Turing',
  edsger: 'Edsger Dijkstra',
};

/** People in a real browser, as an owner and as a member see them. */
describe('people in the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: {
            ada: { methods: [{ type: 'webhook', value: `${receiver.url}ada` }] },
            grace: { methods: [{ type: 'webhook', value: `${receiver.url}grace` }] },
            alan: {
              methods: [
                { type: 'phone', value: '+15005550006' },
                { type: 'email', value: 'alan@example.com', verified: false },
              ],
            },
            edsger: {},
          },
          teams: {
            sre: {
              members: ['ada', 'grace', 'alan'],
              schedules: [{ stages: [['grace'], ['alan']], backstop: 'ada' }],
            },
          },
        }),
      }),
    ]);
    for (const [key, name] of Object.entries(NAMES))
      await t.db
        .updateTable('users')
        .set({ name, ...(key === 'ada' ? { role: 'owner' as const } : {}) })
        .where('id', '=', id(key))
        .execute();
    await t.page('team', 'sre');
    const [paged] = await t.notified('grace');
    assert.ok(paged);
    await t.acknowledge(paged);
    [ada, grace] = [await signIn(t, 'ada'), await signIn(t, 'grace')];
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  const id = (person: string) => t.acme.users[person] ?? '';

  async function open(
    who: SignedIn,
    path: string,
    size: Size = 'desk',
    scheme: Scheme = 'dark',
  ): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, who, t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }

  it('shows who is on call and who cannot be reached, and finds people', async () => {
    const { page, errors, close } = await open(ada, '/people');
    const rows = page.getByRole('main').getByRole('listitem');
    await page.getByText('4 people, 2 not reachable').waitFor();
    await eventually(() => rows.getByRole('link').allTextContents(), Object.values(NAMES).toSorted());
    await rows.filter({ hasText: 'Edsger' }).getByText('No contact method.').waitFor();
    await rows
      .filter({ hasText: 'Grace' })
      .getByText(/on call: sre 0, stage 1, until/)
      .waitFor();
    await rows
      .filter({ hasText: 'Grace' })
      .getByText(/last reached today/)
      .waitFor();
    await rows.filter({ hasText: 'Ada' }).getByText('not reached yet').waitFor();
    await page.getByText('Not reachable', { exact: true }).click();
    await page.waitForURL(/show=unreachable/);
    await eventually(() => rows.getByRole('link').allTextContents(), ['Alan Turing', 'Edsger Dijkstra']);
    await page.getByRole('textbox', { name: 'Find people' }).fill('sre');
    await page.waitForURL(/find=sre/);
    await eventually(() => rows.getByRole('link').allTextContents(), ['Alan Turing']);
    assert.deepEqual(errors, []);
    await close();
  });

  it('finds people whose names are typed faster than the address changes', async () => {
    const { page, close } = await open(ada, '/people');
    const field = page.getByRole('textbox', { name: 'Find people' });
    await field.focus();
    await page.evaluate("for (const letter of 'grace') document.execCommand('insertText', false, letter)");
    assert.equal(await field.inputValue(), 'grace');
    await page.waitForURL(/find=grace$/);
    await close();
  });

  it('says why a team could not be created or renamed', async () => {
    const { page, close } = await open(ada, '/teams');
    await page.route('**/api/teams**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Storage');
    await page.getByRole('button', { name: 'Create the team' }).click();
    await page.getByRole('dialog').getByText('The service cannot be reached.').waitFor();
    await page.goto(`${t.url}/teams/sre`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Reliability');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('The service cannot be reached.').waitFor();
    await close();
  });

  it('lets a manager leave a team, and offers no undo that would be refused', async () => {
    const { body } = await ada.call('POST', '/api/teams', {
      ...{ name: 'Storage', slug: 'storage' },
      members: [{ user: id('grace'), role: 'manager' }],
    });
    const { page, close } = await open(grace, '/teams/storage');
    await page.getByRole('button', { name: 'Leave Storage' }).click();
    await page.getByText('Grace Hopper is no longer in Storage.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.equal((await ada.call('DELETE', `/api/teams/${body.team.id}`)).status, 200);
    await close();
  });

  it('lets an owner make somebody an admin, using only the keyboard', async () => {
    const { page, close } = await open(ada, `/people/${id('alan')}`);
    await page.getByText('A page would not reach Alan Turing').waitFor();
    await page.getByRole('button', { name: 'Change' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Handle' }).fill('grace');
    await page.keyboard.press('Enter');
    await page.getByText('It is used by another person').waitFor();
    await page.getByRole('textbox', { name: 'Handle' }).fill('alan.t');
    await page.getByRole('combobox', { name: 'Role' }).focus();
    await page.keyboard.press('ArrowDown');
    // The list marks the current choice a moment after it opens.
    const marked = page.locator('[data-combobox-selected]');
    await marked.filter({ hasText: 'Member' }).waitFor();
    await listReady(page);
    await page.keyboard.press('ArrowUp');
    await marked.filter({ hasText: 'Admin' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).focus();
    await keysAct(page);
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    const { body } = await ada.call('GET', `/api/people/${id('alan')}`);
    assert.deepEqual([body.username, body.role], ['alan.t', 'admin']);
    await close();
  });

  it('disables a person after showing the consequences, and can enable them again', async () => {
    const { page, close } = await open(ada, `/people/${id('edsger')}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('They are signed out at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Edsger Dijkstra is disabled.').waitFor();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('Edsger Dijkstra may sign in again').waitFor();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await close();
  });

  it('leads from a person to their load in the reports', async () => {
    const { page, errors, close } = await open(ada, `/people/${id('grace')}`);
    await page.getByRole('link', { name: 'Load in the reports' }).click();
    const load = page.getByRole('region', { name: 'Load per person' });
    const marked = load.locator('tr[data-marked]');
    await marked.getByText('Grace Hopper').waitFor();
    await eventually(() => marked.count(), 1);
    await marked.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.waitForURL(`**/people/${id('grace')}`);
    assert.deepEqual(errors, []);
    await close();
  });

  it('shows a member how others are reached, and lets them change nobody', async () => {
    const { page, close } = await open(grace, `/people/${id('ada')}`);
    await page.getByRole('region', { name: 'How they are reached' }).getByText('Webhook').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Change' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0);
    await page.getByRole('link', { name: 'Page Ada' }).click();
    await page.waitForURL(/pages\/new\?kind=person/);
    await close();
  });

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`is correct at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const { page, errors, close } = await open(ada, '/people', size, scheme);
        await page.getByText('4 people').waitFor();
        await looksWell(page, `people-${size}-${scheme}`, size);
        await page.goto(`${t.url}/people/${id('alan')}`);
        await page.getByText('+15005550006').first().waitFor();
        await looksWell(page, `person-${size}-${scheme}`, size);
        await page.goto(`${t.url}/people/${id('grace')}`);
        await page.getByRole('button', { name: 'Disable' }).click();
        await page.getByText('They are signed out at once').waitFor();
        await looksWell(page, `person-disable-${size}-${scheme}`, size);
        assert.deepEqual(errors, []);
        await close();
      });
});
