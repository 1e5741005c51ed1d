import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** The owner of a new installation sets up email in the dashboard, and changes and removes it there. */
describe('the providers in the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let smtp: FakeSmtp;

  before(async () => {
    smtp = await fakeSmtp();
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: { people: { ada: {}, grace: {} }, teams: { sre: { members: ['ada', 'grace'] } } },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    await smtp?.stop();
  });

  /** A person gets few codes and tests within a minute. */
  const aWhile = () => t.advance({ minutes: 2 });

  async function opened(person: string, path: string, size: Size = 'desk'): Promise<Tab> {
    const tab = await openTab(browser, size, schemesAt(size)[0]);
    await bringSession(tab.page, await signIn(t, person), t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }

  it('sets up the email server from the list of steps, after a wrong password', async () => {
    const { page, close } = await opened('ada', '/set-up');
    await page.getByRole('link', { name: /^Set up email/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Email server' });
    const { hostname, port, username, password } = new URL(smtp.url);
    await dialog.getByRole('textbox', { name: 'Server' }).fill(hostname);
    await dialog.getByRole('combobox', { name: 'Encryption' }).click();
    await page.getByRole('option', { name: 'Only if the server offers it' }).click();
    await dialog.getByRole('textbox', { name: 'Port' }).fill(port);
    await dialog.getByRole('textbox', { name: 'User name' }).fill(username);
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('textbox', { name: 'Sender' }).fill('nobody');
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await dialog.getByText(/^It is not an email address; give one such as/).waitFor();
    await dialog.locator('[aria-invalid=true]:focus').waitFor();
    await dialog.getByRole('textbox', { name: 'Sender' }).fill('Tocsin <tocsin@tocsin.example>');
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^The mail server answered: 535/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Save anyway' }).waitFor();
    await looksWell(page, 'provider-refused', 'desk', false);
    await dialog.getByLabel('Password', { exact: true }).fill(decodeURIComponent(password));
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('Email server is set up.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const section = page.getByRole('region', { name: 'Email server' });
    await section.getByText('127.0.0.1, Tocsin <tocsin@tocsin.example>').waitFor();
    await section.getByText('by Ada').waitFor();
    await section.getByText('ready').waitFor();
    await close();
  });

  it('leads on to an address of their own, and to a test that arrives', async () => {
    const { page, errors, close } = await opened('ada', '/settings?tab=channels');
    const section = page.getByRole('region', { name: 'Email server' });
    await section.getByRole('link', { name: 'Add it to your profile to test it' }).click();
    await page.getByRole('button', { name: 'Add contact method' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('ada@example.com');
    await page.getByRole('button', { name: 'Add and send a code' }).click();
    const [code] = /\b\d{6}\b/.exec((await smtp.messages.next()).headers.subject ?? '') ?? [];
    await page.getByRole('textbox', { name: 'Code' }).fill(code ?? '');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Verified. Pages can go there from now on.').waitFor();
    await aWhile();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Channels' }).click();
    await section.getByRole('button', { name: 'Send me a test' }).click();
    await page.getByText('Sent to you: it should arrive in a moment.').waitFor();
    assert.deepEqual((await smtp.messages.next()).envelope.to, ['ada@example.com']);
    assert.deepEqual(errors, []);
    await close();
  });

  it('shows that the password changed at the provider, and takes the new one alone', async () => {
    smtp.changePassword('battery staple');
    await aWhile();
    const { page, close } = await opened('ada', '/settings?tab=channels');
    await page.getByRole('button', { name: 'Check: Email server' }).click();
    await page.getByText(/^The mail server answered: 535.*The mail server refuses our sign-in/).waitFor();
    await page.getByRole('button', { name: 'Change: Email server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Email server' });
    await dialog.getByText('Stored; leave it empty to keep it').waitFor();
    await looksWell(page, 'provider-change', 'desk', false);
    await dialog.getByLabel('Password', { exact: true }).fill('battery staple');
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('Email server is set up.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check: Email server' }).click();
    await page.getByText('Email server: it works.').waitFor();
    await page.getByRole('button', { name: 'Send me a test' }).first().click();
    assert.deepEqual((await smtp.messages.next()).envelope.to, ['ada@example.com']);
    await close();
  });

  it('removes it again, and the audit log says so', async () => {
    const { page, errors, close } = await opened('ada', '/settings?tab=channels');
    await page.getByRole('button', { name: 'Remove: Email server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Email server?' });
    await dialog
      .getByText(/^Pages no longer reach anybody through these channels: Email\. Invitations and/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    const section = page.getByRole('region', { name: 'Email server' });
    await section.getByRole('button', { name: 'Set up: Email server' }).waitFor();
    await section.getByText('not set up').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByText('removed a provider').waitFor();
    await page.getByText('set up a provider').first().waitFor();
    assert.deepEqual(errors, []);
    assert.equal(smtp.messages.leftovers(), null);
    await close();
  });

  it('tells members whom to ask', async () => {
    const { page, errors, close } = await opened('grace', '/settings?tab=channels&provider=smtp');
    await page.getByText('Owners and admins set up the channels here. Ask one of them.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Set up/ }).count(), 0);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });

  for (const size of ['desk', 'phone'] as const)
    it(`shows what to enter at Twilio and Slack, at the size of a ${size}`, async () => {
      const { page, errors, close } = await opened('ada', '/settings?tab=channels', size);
      await page.getByRole('button', { name: 'Set up: Slack' }).waitFor();
      await looksWell(page, `providers-${size}`, size);
      for (const [provider, text] of [
        ['Twilio', `${t.url}/callbacks/twilio/sms`],
        ['Slack', `request_url: ${t.url}/callbacks/slack/actions`],
      ] as const) {
        await page.getByRole('button', { name: `Set up: ${provider}` }).click();
        const dialog = page.getByRole('dialog', { name: provider });
        await dialog.getByText(text).waitFor();
        await dialog.getByText(`${provider} has to reach ${t.url} from the internet.`).waitFor();
        await looksWell(page, `provider-${provider}-${size}`, size, false);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      assert.deepEqual(errors, []);
      await close();
    });
});
