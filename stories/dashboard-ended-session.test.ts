import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PERSON_HEADER } from '../src/sessions/api-contract.ts';
import { barriers } from '../testing/accessibility.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  photograph,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const ENDED = 'Your session has ended. Sign in again, in another tab if you have entered something here.';

/** What a person has entered stays when their session ends elsewhere or by itself, and belongs to nobody else. */
describe('a session that ends while something is entered', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let schedule: string;
  let elsewhere: { url: string; close(): void };
  let tab: Tab;

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        automatic: true,
        organization: {
          people: { ada: person, grace: person, alan: person },
          teams: { sre: { members: ['ada', 'grace', 'alan'], schedules: [{ stages: [['alan'], ['ada']] }] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    ada = await signIn(t, 'ada');
    schedule = (await ada.call('GET', '/api/schedules')).body.schedules[0].id;
  });
  afterEach(() => tab.close());
  after(async () => {
    await browser?.close();
    await t?.end();
    elsewhere.close();
  });

  /** A tab of Alan, in a session of its own. */
  async function opened(path: string, size: Size = 'desk', scheme = schemesAt(size)[0]): Promise<Page> {
    tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, await signIn(t, 'alan'), t.url);
    await tab.page.goto(t.url + path);
    return tab.page;
  }

  async function endSessionsOf(person: string): Promise<void> {
    await t.db
      .deleteFrom('sessions')
      .where('user_id', '=', t.acme.users[person] ?? '')
      .execute();
  }

  /** Somebody signs in in another tab of the same browser, which stays open. */
  async function signsInBeside(page: Page, person: string): Promise<Page> {
    const beside = await page.context().newPage();
    await beside.goto(await signInLink(t, person, { withoutSecondFactor: true }));
    await beside.getByRole('button').click();
    await beside.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    return beside;
  }

  const comesBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  const descriptionOf = async (): Promise<string> =>
    (await ada.call('GET', `/api/schedules/${schedule}`)).body.description ?? '';
  const isSignIn = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  const saving = (page: Page) => page.getByRole('button', { name: 'Save and plan' });

  /** The paths that the page asks for from now on. */
  function asked(page: Page): string[] {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    return paths;
  }

  it('works in a browser without storage, which keeps nothing, because it could not remember a sign-out', async () => {
    tab = await openTab(browser, 'desk', 'light');
    const { page, errors } = tab;
    const refuse = "{ get() { throw new DOMException('refused', 'SecurityError') } }";
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', ${refuse})`);
    await bringSession(page, await signIn(t, 'alan'), t.url);
    await page.goto(`${t.url}/schedules/${schedule}/edit`);
    await page.getByLabel('Description').fill('Without storage');
    await endSessionsOf('alan');
    await comesBack(page);
    await isSignIn(page);
    await bringSession(page, await signIn(t, 'alan'), t.url);
    await page.goto(t.url);
    await page.getByRole('button', { name: 'Alan' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await isSignIn(page);
    assert.deepEqual(
      errors.filter((error) => !error.includes('401')),
      [],
    );
    assert.equal(await descriptionOf(), '');
  });

  it('keeps the schedule form, reads and rings nothing meanwhile, and saves after a sign-in in another tab', async () => {
    const page = await opened(`/schedules/${schedule}/edit`);
    await page.getByLabel('Description').fill('Nights only');
    const another = await signIn(t, 'alan');
    assert.equal((await another.call('DELETE', '/api/account/sessions')).status, 200);
    const alert = page.getByRole('alert').getByText(ENDED);
    await alert.waitFor();
    assert.equal(await alert.count(), 1);
    assert.equal(await isOnTheScreen(page, ENDED), true);
    assert.equal(await page.getByLabel('Description').inputValue(), 'Nights only');

    const paths = asked(page);
    await t.page('team', 'sre', { title: 'Disk is full', urgency: 'high' });
    await comesBack(page);
    await eventually(async () => paths.includes('/api/session'), true);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 3_000))');
    assert.deepEqual([...new Set(paths)], ['/api/session']);
    assert.ok(paths.length < 4, `${paths.length} requests`);
    assert.equal(await page.getByRole('alertdialog').count(), 0);

    const signingIn = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
    const beside = await signingIn;
    await isSignIn(beside);
    await beside.close();
    await signsInBeside(page, 'alan');
    await comesBack(page);
    // Who is signed in again is reached again.
    const ringing = page.getByRole('alertdialog', { name: 'Disk is full' });
    await ringing.waitFor();
    await ringing.getByRole('heading').waitFor();
    await page.waitForTimeout(500);
    await ringing.getByRole('button', { name: 'Acknowledge' }).click();
    await ringing.waitFor({ state: 'detached' });
    assert.equal(await alert.count(), 0);
    assert.equal(await page.getByLabel('Description').inputValue(), 'Nights only');
    await saving(page).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    assert.equal(await descriptionOf(), 'Nights only');
  });

  it('keeps a dialog, and saves before the sign-in in another tab was noticed', async () => {
    const page = await opened('/teams');
    await page.getByRole('button', { name: 'New team' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Databases');
    await endSessionsOf('alan');
    await dialog.getByRole('alert').getByText(ENDED).waitFor();
    await signsInBeside(page, 'alan');
    await dialog.getByRole('button', { name: 'Create the team' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => page.getByText(ENDED).count(), 0);
    const { teams } = (await ada.call('GET', '/api/teams')).body;
    assert.ok(teams.some(({ name }: { name: string }) => name === 'Databases'));
  });

  it('forgets the refusal of a save once the person is signed in again', async () => {
    const page = await opened('/teams');
    await page.getByRole('button', { name: 'New team' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Networks');
    await endSessionsOf('alan');
    await dialog.getByRole('alert').getByText(ENDED).waitFor();
    const refused = page.waitForResponse((response) => response.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Create the team' }).click();
    await refused;
    assert.equal(await dialog.getByText(ENDED).count(), 1);
    await signsInBeside(page, 'alan');
    await comesBack(page);
    await dialog.getByText(ENDED).waitFor({ state: 'detached' });
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Networks');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByRole('heading', { name: 'Teams', level: 1 }).isVisible(), true);
  });

  it('saves nothing in the name of another person who signs in, and shows their dashboard instead', async () => {
    const before = await descriptionOf();
    const page = await opened(`/schedules/${schedule}/edit`);
    await page.getByLabel('Description').fill('Entered by Alan');
    await endSessionsOf('alan');
    await page.getByRole('alert').getByText(ENDED).waitFor();
    await signsInBeside(page, 'grace');
    await saving(page).click();
    await page.getByRole('button', { name: 'Grace', exact: true }).waitFor();
    await eventually(() => page.getByLabel('Description').inputValue(), before);
    assert.equal(await descriptionOf(), before);

    await page.getByLabel('Description').fill('Entered by Grace');
    await endSessionsOf('grace');
    await page.getByRole('alert').getByText(ENDED).waitFor();
    await signsInBeside(page, 'alan');
    await comesBack(page);
    await page.getByRole('button', { name: 'Alan', exact: true }).waitFor();
    await eventually(() => page.getByLabel('Description').inputValue(), before);
  });

  it('saves nothing in the name of somebody whose sign-in was not noticed yet', async () => {
    const before = await descriptionOf();
    const page = await opened(`/schedules/${schedule}/edit`);
    await page.getByLabel('Description').fill('Entered by Alan');
    await bringSession(page, await signIn(t, 'grace'), t.url);
    await saving(page).click();
    await page.getByRole('button', { name: 'Grace', exact: true }).waitFor();
    await eventually(() => page.getByLabel('Description').inputValue(), before);
    assert.equal(await descriptionOf(), before);
    const refused = await ada.call('GET', '/api/teams', undefined, {
      [PERSON_HEADER]: t.acme.users.grace ?? '',
    });
    assert.deepEqual([refused.status, refused.body.details[0].field], [401, 'person']);
  });

  it('shows the sign-in view when nothing was entered, or when it is given up', async () => {
    const page = await opened(`/schedules/${schedule}/edit`);
    await page.getByLabel('Description').waitFor();
    await endSessionsOf('alan');
    await isSignIn(page);
    await tab.close();

    const another = await opened('/teams');
    await another.getByRole('button', { name: 'New team' }).click();
    await another.getByRole('dialog').getByLabel('Name').fill('Databases');
    await endSessionsOf('alan');
    await another.getByRole('dialog').getByRole('alert').getByText(ENDED).waitFor();
    await another.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await isSignIn(another);
  });

  it('keeps nothing after a sign-out in another tab, or in this one once the session has ended', async () => {
    const page = await opened(`/schedules/${schedule}/edit`);
    await page.getByLabel('Description').fill('Nobody else may read this');
    const beside = await page.context().newPage();
    await beside.goto(t.url);
    await beside.getByRole('button', { name: 'Alan', exact: true }).click();
    await beside.getByRole('menuitem', { name: 'Sign out' }).click();
    await isSignIn(beside);
    await isSignIn(page);
    await tab.close();

    const another = await opened(`/schedules/${schedule}/edit`);
    await another.getByLabel('Description').fill('Nobody else may read this');
    await endSessionsOf('alan');
    await another.getByRole('alert').getByText(ENDED).waitFor();
    await another.getByRole('button', { name: 'Alan', exact: true }).click();
    await another.getByRole('menuitem', { name: 'Sign out' }).click();
    await isSignIn(another);
  });

  it('keeps a choice, and what is entered in a form of a view', async () => {
    const page = await opened(`/schedules/${schedule}`);
    await page.getByRole('button', { name: 'Override' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Who' }).click();
    await page.getByRole('option', { name: /grace/i }).click();
    await endSessionsOf('alan');
    await dialog.getByRole('alert').getByText(ENDED).waitFor();
    await tab.close();

    const profile = await opened('/profile');
    await profile.getByRole('region', { name: 'About you' }).getByLabel('Handle').fill('turing');
    await endSessionsOf('alan');
    await profile.getByRole('alert').getByText(ENDED).waitFor();
    assert.equal(await isOnTheScreen(profile, ENDED), true);
  });

  for (const size of ['desk', 'phone'] as const)
    for (const scheme of schemesAt(size))
      it(`says it within reach, on a ${size} in ${scheme}`, async () => {
        const page = await opened(`/schedules/${schedule}/edit`, size, scheme);
        await page.getByLabel('Description').fill('Weekends too');
        await endSessionsOf('alan');
        await page.getByRole('alert').getByText(ENDED).waitFor();
        assert.equal(await isOnTheScreen(page, ENDED), true);
        assert.deepEqual(await barriers(page), []);
        await photograph(page, `ended-schedule-${size}-${scheme}`);
        await tab.close();

        const people = await opened('/people', size, scheme);
        await people.getByRole('button', { name: 'Invite', exact: true }).click();
        await people.getByRole('dialog').getByLabel('Email').fill('katherine@example.com');
        // As high as what a keyboard leaves of a phone.
        await people.setViewportSize({ ...SIZES[size], height: 450 });
        await endSessionsOf('alan');
        await people.getByRole('dialog').getByRole('alert').getByText(ENDED).waitFor();
        assert.equal(await isOnTheScreen(people, ENDED), true);
        await people.setViewportSize(SIZES[size]);
        assert.deepEqual(await barriers(people), []);
        await photograph(people, `ended-dialog-${size}-${scheme}`);
        await tab.close();

        const profile = await opened('/profile', size, scheme);
        await profile.getByRole('region', { name: 'About you' }).getByLabel('Handle').fill('turing');
        await endSessionsOf('alan');
        await profile.getByRole('alert').getByText(ENDED).waitFor();
        assert.deepEqual(await barriers(profile), []);
        await photograph(profile, `ended-profile-${size}-${scheme}`);
      });
});

async function isOnTheScreen(page: Page, text: string): Promise<boolean> {
  const [box, size] = [await page.getByRole('alert').getByText(text).boundingBox(), page.viewportSize()];
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
}
