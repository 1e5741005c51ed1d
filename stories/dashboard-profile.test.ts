import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { queueNotices } from '../src/notices/store.ts';
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
import { type FakeTwilio, failure, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** What people do about their own account, in a real browser. */
describe('profile and inbox', () => {
  let t: Story;
  let twilio: FakeTwilio;
  let browser: StoryBrowser;
  let ada: SignedIn;

  before(async () => {
    twilio = await fakeTwilio();
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        env: twilio.env,
        organization: {
          people: {
            ada: { methods: [{ type: 'email', value: 'ada@example.com' }] },
            grace: { methods: [{ type: 'phone', value: '+15005550009' }] },
          },
        },
      }),
    ]);
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await browser?.close();
    await t.end();
    await twilio.stop();
  });

  async function open(path: string, size: Size = 'desk', scheme: Scheme = 'dark'): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }
  const tell = (subject: string) =>
    t.db.transaction().execute(async (tx) => {
      const about = { kind: 'shift.changed', path: '/schedules', dedupKey: null };
      const text =
        'Ada Lovelace is on call from Mon 23 Nov 09:00 until Mon 30 Nov 09:00, in the place of Grace Hopper.';
      const notice = { organizationId: t.acme.id, userId: t.acme.users.ada ?? '', subject, text, ...about };
      await queueNotices(tx, await t.clock.now(tx), () => [notice]);
    });

  it('a phone is added and verified using only the keyboard', async () => {
    const { page, errors, close } = await open('/profile');
    const ways = page.getByRole('region', { name: 'Your contact methods' });
    await ways.getByText('A page would not reach you while this dashboard is closed').waitFor();
    await ways.getByRole('button', { name: 'Add contact method' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Number' }).waitFor();
    await page.keyboard.type('030 12');
    await page.keyboard.press('Enter');
    await page.getByText('It does not start with + and a country code').waitFor();
    await page.getByRole('textbox', { name: 'Number' }).fill('+1 500 555 0006');
    await page.keyboard.press('Enter');
    const sms = await twilio.messages.next();
    await page.getByText('We sent a code there.').waitFor();
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill('123456' === /\d{6}/.exec(sms.body)?.[0] ? '654321' : '123456');
    await page.keyboard.press('Enter');
    await page.getByText('4 tries are left').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(/\d{6}/.exec(sms.body)?.[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Pages can go there from now on.').waitFor();
    await ways.getByText('A page would not reach you').waitFor({ state: 'detached' });
    assert.deepEqual(
      errors.filter((error) => !error.includes('400')),
      [],
    );
    await close();
  });

  it("a test shows the provider's answer", async () => {
    t.clock.advance({ minutes: 5 });
    const { page, close } = await open('/profile');
    const menu = page.getByRole('button', { name: 'More about Phone +15005550006' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Send a test SMS' }).click();
    await page.getByText('A test message is on its way').waitFor();
    await twilio.messages.next();
    t.clock.advance({ minutes: 5 });
    twilio.script(failure(400, 21610, 'Attempt to send to unsubscribed recipient'));
    await menu.click();
    await page.getByRole('menuitem', { name: 'Send a test SMS' }).click();
    await page.getByText('Attempt to send to unsubscribed recipient').waitFor();
    await close();
  });

  it('methods are sorted by dragging, by the arrow keys, and by their menu', async () => {
    const { page, close } = await open('/profile');
    const ways = page.getByRole('region', { name: 'Your contact methods' });
    const names = () => ways.getByRole('listitem').locator('b').allTextContents();
    await ways.getByText('ada@example.com').waitFor();
    await eventually(names, ['Email', 'Phone']);
    const saved = () => page.waitForResponse((response) => response.url().endsWith('/order'));
    await Promise.all([saved(), ways.getByRole('listitem').nth(1).dragTo(ways.getByRole('listitem').nth(0))]);
    await eventually(names, ['Phone', 'Email']);
    await ways.getByRole('button', { name: /^Move Phone/ }).focus();
    await Promise.all([saved(), page.keyboard.press('ArrowDown')]);
    await eventually(names, ['Email', 'Phone']);
    await ways.getByRole('button', { name: 'More about Phone' }).click();
    await Promise.all([saved(), page.getByRole('menuitem', { name: 'Move up' }).click()]);
    const { body } = await ada.call('GET', '/api/contact-methods');
    assert.deepEqual(
      body.contact_methods.map(({ type }: { type: string }) => type),
      ['phone', 'email'],
    );
    await close();
  });

  it('rules are shown on a timeline, changed, and reset to the defaults', async () => {
    const { page, close } = await open('/profile');
    const rules = page.getByRole('region', { name: 'When a page arrives' });
    await rules.getByText('the defaults').waitFor();
    await rules.getByText('after 2 minutes').waitFor();
    await rules.getByRole('button', { name: 'Change' }).click();
    await rules.getByLabel('Step 2: minutes after the page').fill('3');
    await rules.getByRole('button', { name: 'Remove step 4' }).click();
    await rules.getByRole('button', { name: 'Remove step 3' }).click();
    await rules.getByRole('group', { name: 'Step 2: ways' }).getByText('Email').click();
    await rules.getByRole('button', { name: 'Save the rules' }).click();
    await rules.getByText('your rules').waitFor();
    await rules.getByText('after 3 minutes').waitFor();
    await eventually(() => rules.getByRole('list').first().locator('> li').count(), 2);
    await rules.getByRole('button', { name: 'Reset to the defaults' }).click();
    await rules.getByText('after 2 minutes').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rules.getByText('after 3 minutes').waitFor();
    await close();
  });

  it('a refusal of the rules of one urgency is not shown for another one', async () => {
    const { page, close } = await open('/profile');
    const rules = page.getByRole('region', { name: 'When a page arrives' });
    await page.route('**/api/notification-rules/high', (route) => route.abort());
    await rules.getByRole('button', { name: 'Change' }).click();
    await rules.getByRole('button', { name: 'Save the rules' }).click();
    await rules.getByRole('alert').waitFor();
    await rules.getByText('Medium', { exact: true }).click();
    await rules.getByRole('button', { name: 'Change' }).click();
    await rules.getByRole('button', { name: 'Save the rules' }).waitFor();
    assert.equal(await rules.getByRole('alert').count(), 0);
    await close();
  });

  it('a warning that several steps share is shown once', async () => {
    const steps = [
      { after_minutes: 0, channels: ['sms'] },
      ...[5, 10, 15].map((after_minutes) => ({ after_minutes, channels: ['chat'] })),
    ];
    const { status } = await ada.call('PUT', '/api/notification-rules/low', { rules: steps });
    assert.equal(status, 200);
    const { page, close } = await open('/profile');
    const rules = page.getByRole('region', { name: 'When a page arrives' });
    await rules.getByText('Low', { exact: true }).click();
    await rules.getByText('after 15 minutes').waitFor();
    assert.equal(await rules.getByText('This step reaches nobody').count(), 1);
    assert.equal(await rules.locator('[data-deaf="true"]').count(), 3, 'each step is marked');
    await ada.call('DELETE', '/api/notification-rules/low');
    await close();
  });

  it('own rules can be restored even if the defaults are shown before the answer arrives', async () => {
    const { page, close } = await open('/profile');
    const rules = page.getByRole('region', { name: 'When a page arrives' });
    await rules.getByText('after 3 minutes').waitFor();
    await page.route('**/api/notification-rules/high', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      const response = await route.fetch();
      // The stream of changes may be faster than the answer, so this waits for it.
      await rules.getByText('the defaults', { exact: true }).waitFor();
      await route.fulfill({ response });
    });
    await rules.getByRole('button', { name: 'Reset to the defaults' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rules.getByText('after 3 minutes').waitFor();
    await rules.getByText('your rules').waitFor();
    await close();
  });

  it('removing the last method requires a confirmation', async () => {
    const { page, close } = await open('/profile');
    await page.getByRole('button', { name: 'More about Phone' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('It is your last contact method.').waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await ada.call('GET', '/api/contact-methods')).body.contact_methods.length, 2);
    await close();
  });

  it('name, handle, zone and sleep are saved, and problems are shown next to their field', async () => {
    const { page, close } = await open('/profile');
    await page.getByRole('textbox', { name: 'Handle' }).fill('grace');
    await page.getByLabel('From').fill('23:00');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It is used by another person').waitFor();
    await page.getByRole('textbox', { name: 'Handle' }).fill('ada.l');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await ada.call('GET', '/api/profile');
    assert.deepEqual([body.username, body.sleep.from], ['ada.l', '23:00']);
    await close();
  });

  it("times are shown in the person's zone and format, in every view", async () => {
    const { page, errors, close } = await open('/profile');
    const about = page.getByRole('region', { name: 'About you' });
    await about.getByText('This device is in Berlin; the dashboard shows times in UTC.').waitFor();
    await about.getByRole('combobox', { name: 'Time zone' }).fill('New_York');
    await page.getByRole('option', { name: 'America/New_York' }).click();
    await about.getByText('12 hours', { exact: true }).click();
    await about.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('· times in New York').waitFor();
    const { body } = await ada.call('GET', '/api/profile');
    assert.deepEqual([body.time_zone, body.clock], ['America/New_York', '12']);

    await page.goto(t.url);
    await page.getByText(/, \d{1,2}:\d\d\s[ap]m New York$/i).waitFor();
    await page.goto(`${t.url}/availability`);
    await page.getByText('No entries yet').waitFor();
    await page.goto(`${t.url}/profile`);
    await about.getByText('24 hours', { exact: true }).click();
    await about.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto(t.url);
    await page.getByText(/, \d\d:\d\d New York$/).waitFor();
    assert.equal((await ada.call('PATCH', '/api/profile', { clock: '13' })).status, 400);
    await ada.call('PATCH', '/api/profile', { clock: 'device', time_zone: 'UTC' });
    assert.deepEqual(errors, []);
    await close();
  });

  it("a person's language applies to the dashboard and to messages, also in another browser", async () => {
    const { page, close } = await open('/profile');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Über dich' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await close();
    const other = await open('/profile');
    await other.page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    t.clock.advance({ minutes: 5 });
    await other.page.getByRole('button', { name: 'Mehr zu Telefon +15005550006' }).click();
    await other.page.getByRole('menuitem', { name: /SMS/ }).click();
    await twilio.messages.expect(({ body }) => body.startsWith('Das ist ein Test von Tocsin'));
    await other.page.getByRole('combobox', { name: 'Sprache' }).click();
    await other.page.getByRole('option', { name: 'English' }).click();
    await other.page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await other.page.getByRole('heading', { name: 'About you' }).waitFor();
    await other.close();
  });

  it('a notice appears silently, counts as unread, and is read in the inbox', async () => {
    // A notice sent before the dashboard counts as open appears in the inbox only.
    const opened = async () =>
      (await t.db.selectFrom('open_dashboards').select('user_id').execute()).length > 0;
    await eventually(opened, false);
    const { page, errors, close } = await open('/');
    await page.getByRole('link', { name: 'Inbox' }).waitFor();
    await eventually(opened, true);
    // Notices in the first answer do not appear as new.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/notices')),
    );
    await tell('You have the shift of Monday');
    // The next list of new notices contains it, too.
    await page.getByRole('alert').getByRole('link', { name: 'You have the shift of Monday' }).waitFor();
    await page.getByRole('link', { name: 'Inbox 1 not read' }).click();
    await page.getByText('in the place of Grace Hopper').waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
    assert.equal((await ada.call('GET', '/api/notices')).body.unread, 0);

    // Of the notices about one thing, those that were read are folded below the newest.
    const inbox = page.getByRole('main');
    await tell('The shift of Monday is yours until noon');
    await inbox.getByRole('link', { name: 'The shift of Monday is yours until noon' }).waitFor();
    const first = inbox.getByRole('link', { name: 'You have the shift of Monday' });
    await first.waitFor({ state: 'hidden' });
    await inbox.getByText('1 earlier notice about this').click();
    await first.waitFor({ state: 'visible' });
    assert.deepEqual(errors, []);
    await close();
  });

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`is correct at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        if (scheme === 'dark') await tell('Your shift of next week moved');
        const { page, errors, close } = await open('/profile', size, scheme);
        await page.getByText('after 3 minutes').waitFor();
        await looksWell(page, `profile-whole-${size}-${scheme}`, size);
        await page
          .getByRole('region', { name: 'When a page arrives' })
          .getByRole('button', { name: 'Change' })
          .click();
        await looksWell(page, `profile-rules-${size}-${scheme}`, size);
        await page.getByRole('button', { name: 'Add contact method' }).click();
        await page.getByRole('dialog').waitFor();
        await looksWell(page, `profile-add-${size}-${scheme}`, size);
        await page.goto(`${t.url}/inbox`);
        await page.getByText('in the place of Grace Hopper').first().waitFor();
        await looksWell(page, `inbox-${size}-${scheme}`, size);
        assert.deepEqual(errors, []);
        await close();
      });
});
