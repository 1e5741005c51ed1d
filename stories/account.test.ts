import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
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
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { keysAct } from '../testing/keyboard.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PASSWORD = 'correct horse battery';

describe('how people sign in, in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;

  before(async () => {
    const port = String(await freePort());
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        // Browsers allow passkeys on this host, but not on one without a name.
        env: { PORT: port, PUBLIC_URL: `http://localhost:${port}` },
        organization: {
          people: { ada: {}, grace: {}, alan: {} },
          teams: { sre: { members: ['ada', 'grace'] } },
        },
      }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  /** An authenticator that stores passkeys and always verifies its user. */
  async function withAuthenticator(page: Page): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  async function invitation(email: string): Promise<string> {
    const { body } = await ada.call('POST', '/api/invitations', {
      ...{ email, teams: [t.acme.teams.sre], in_person: true },
    });
    return body.url;
  }

  const inside = (page: Page) => page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();

  async function signOut(page: Page): Promise<void> {
    await page.evaluate(
      `fetch('/api/session', { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '{}' })`,
    );
    await page.goto(t.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }

  it('joins by an invitation with a passkey, and signs in with it again', async () => {
    const { page, errors, close } = await openTab(browser);
    page.on('response', (response) => response.status() === 400 && errors.push(response.url()));
    await withAuthenticator(page);
    await page.goto(await invitation('joan@example.com'));
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await page.getByText('Ada invites you to SRE.').waitFor();
    assert.deepEqual(await barriers(page), []);
    await photograph(page, 'invitation-desk-dark');
    await page.getByLabel('Your name').fill('Joan Clarke');
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await inside(page);
    await page.goto(`${t.url}/account`);
    await page.getByText('Chrome on Linux').first().waitFor();
    await page.getByText('No password set. You sign in with a passkey').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await inside(page);
    const { id } = (await ada.call('GET', '/api/people')).body.people.find(
      (person: { email: string }) => person.email === 'joan@example.com',
    );
    const method = await t.db
      .selectFrom('sessions')
      .select('method')
      .where('user_id', '=', id)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    assert.equal(method?.method, 'passkey');
    t.clock.advance({ minutes: 61 });
    await page.goto(`${t.url}/account`);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Save it' }).click();
    await page
      .getByRole('dialog', { name: 'Confirm that it is you' })
      .getByRole('button', { name: 'Use a passkey' })
      .click();
    await page.getByText('You sign in with your email and a password.').waitFor();
    t.clock.advance({ minutes: -61 });
    // Signing out, and confirming it is you again.
    assert.deepEqual(
      errors.filter((error) => !/status of 40[13]/.test(error)),
      [],
    );
    await close();
  });

  it('chooses a password, sets up a second factor, and has to enter both', async () => {
    const { page, close } = await openTab(browser);
    await page.goto(await signInLink(t, 'grace'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await inside(page);
    await page.goto(`${t.url}/account`);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Save it' }).click();
    await page.getByText('You sign in with your email and a password.').waitFor();
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await photograph(page, 'second-factor-desk-dark');
    const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    await page.getByLabel('The code that the app shows').fill(await generate({ secret }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const [recovery = ''] = await page.getByText(/^[a-z2-9]{5}-[a-z2-9]{5}$/).allTextContents();
    await page.getByRole('button', { name: 'I have them' }).click();
    await page.getByText('10 of 10 recovery codes are left').waitFor();
    await signOut(page);
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText('Email or password is wrong').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.keyboard.type(recovery);
    await page.keyboard.press('Enter');
    await inside(page);
    await close();
  });

  it('invites from the list of people, and revokes the invitation', async () => {
    const { page, errors, close } = await openTab(browser);
    await bringSession(page, ada, t.url);
    await page.goto(`${t.url}/people`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.keyboard.type('edsger@example.com');
    const passesOn = page.getByLabel('I will pass the link on to this person myself');
    await page.getByRole('button', { name: 'Create the link' }).click();
    // The browser points at what is missing.
    assert.equal(await passesOn.evaluate((box) => box.matches(':focus:invalid')), true);
    await passesOn.check();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText(`${t.url}/invitation#`).waitFor();
    assert.deepEqual(await barriers(page), []);
    await photograph(page, 'invited-desk-dark');
    await keysAct(page);
    await page.keyboard.press('Enter');
    const invited = page.getByRole('region', { name: 'Invited' });
    await invited.getByText('edsger@example.com').waitFor();
    await photograph(page, 'invitations-desk-dark');
    await invited.getByRole('button', { name: 'Link of edsger@example.com' }).waitFor();
    await invited.getByRole('button', { name: 'Revoke the invitation of edsger@example.com' }).click();
    await invited.getByText('edsger@example.com').waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await close();
  });

  it('has to re-authenticate after an hour, in the middle of an action', async () => {
    const { page, close } = await openTab(browser);
    await page.goto(await signInLink(t, 'alan'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await inside(page);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'tocsin');
    const set = await fetch(`${t.url}/api/account/password`, {
      method: 'POST',
      headers: {
        cookie: `tocsin=${cookie?.value}`,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ password: PASSWORD }),
    });
    assert.equal(set.status, 200);
    t.clock.advance({ minutes: 61 });
    await page.goto(`${t.url}/keys`);
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByText('You signed in more than an hour ago.').waitFor();
    await eventually(
      () => dialog.getByLabel('Password', { exact: true }).evaluate((field) => field.matches(':focus')),
      true,
    );
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('It is wrong; try again.').waitFor();
    assert.deepEqual(await barriers(page), []);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(/^tocsin_[\w-]{32}$/).waitFor();
    t.clock.advance({ minutes: -61 });
    await close();
  });

  it('sees only the set-up of a second factor if everybody needs one', async () => {
    await t.db.updateTable('organizations').set({ requires_two_factor: true }).execute();
    const { page, close } = await openTab(browser);
    await page.goto(await signInLink(t, 'alan'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'One thing first' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await photograph(page, 'gate-desk-dark');
    await page.getByRole('button', { name: 'Set up' }).click();
    const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    await page.getByLabel('The code that the app shows').fill(await generate({ secret }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have them' }).click();
    await inside(page);
    await t.db.updateTable('organizations').set({ requires_two_factor: false }).execute();
    await close();
  });

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`looks good at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const { page, errors, close } = await openTab(browser, size, scheme);
        const keep = async (name: string) => {
          await page.evaluate('document.fonts.ready');
          await photograph(page, `${name}-${size}-${scheme}`, size === 'desk');
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), SIZES[size].width, name);
          assert.deepEqual(await barriers(page), [], name);
        };
        await page.goto(t.url);
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await keep('sign-in');
        await page.getByRole('button', { name: 'No password, or forgot it?' }).click();
        await page.getByRole('heading', { name: 'Sign in without a password' }).waitFor();
        await keep('forgotten');
        const grace = await signIn(t, 'grace');
        await bringSession(page, grace, t.url);
        await page.goto(`${t.url}/account`);
        await page.getByText('recovery codes are left').waitFor();
        await keep('account');
        assert.deepEqual(
          errors.filter((error) => !error.includes('401')),
          [],
        );
        await close();
      });
});
