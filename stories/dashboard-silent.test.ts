import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';
import { type TcpProxy, tcpProxy } from '../testing/tcp-proxy.ts';
import { within } from '../testing/within.ts';

const SILENT = /The server has gone silent/;

/** A network that drops packets closes no connection: neither the browser nor the server notices that it is dead. */
describe('a dashboard whose server has stopped answering', () => {
  let t: Story;
  let browser: StoryBrowser;
  let network: TcpProxy;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        automatic: true,
        organization: {
          people: { ada: {}, grace: {}, alan: {}, edsger: {} },
          teams: { sre: { members: ['edsger'] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'edsger').execute();
    network = await tcpProxy({ host: '127.0.0.1', port: Number(new URL(t.url).port) });
  });
  beforeEach(() => network.set('open'));
  after(async () => {
    await browser?.close();
    await network?.stop();
    await t?.end();
  });

  /** Opens a browser of this person behind the network, and waits until pages reach it. */
  async function connected(person: string, size: Size = 'desk'): Promise<Tab> {
    const tab = await openTab(browser, size, size === 'desk' ? 'dark' : 'light');
    const url = `http://127.0.0.1:${network.port}`;
    await tab.page.clock.install();
    await bringSession(tab.page, await signIn(t, person), url);
    await tab.page.goto(url);
    await tab.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    await eventually(() => isConnected(person), true);
    // A font that is still being loaded when the network goes silent never arrives.
    await within(tab.page.evaluate('document.fonts.ready'), 'the loading of fonts');
    return tab;
  }

  async function isConnected(person: string): Promise<boolean> {
    const userId = t.acme.users[person] ?? '';
    const rows = t.db.selectFrom('open_dashboards').select('node').where('user_id', '=', userId);
    return (await rows.execute()).length > 0;
  }

  const raise = (person: string, title: string) =>
    t.page('person', `${person}@example.com`, { title, text: 'down' });

  it('shows that within 40 seconds, and reconnects', async () => {
    const { page, close } = await connected('ada');
    network.set('silent');
    await page.clock.runFor(40_000);
    await page.getByText(SILENT).waitFor();
    await eventually(() => page.title(), 'Not connected · Now · Tocsin');
    await looksWell(page, 'server-silent', 'desk', false);

    network.set('open');
    // Two attempts made during the silence may have to end first.
    await page.clock.runFor(60_000);
    await page.getByText(SILENT).waitFor({ state: 'detached' });
    await eventually(() => page.title(), 'Now · Tocsin');
    await raise('ada', 'Checkout is down');
    await page.getByRole('alertdialog', { name: 'Checkout is down' }).waitFor();
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Ada resolved it').waitFor();
    await close();
  });

  it('shows that even if it never got an answer, and on a phone', async () => {
    const { page, close } = await connected('grace', 'phone');
    network.set('silent');
    await page.clock.runFor(40_000);
    await page.getByText(SILENT).waitFor();
    await page.clock.runFor(600_000);
    await page.getByText(SILENT).waitFor();
    await looksWell(page, 'server-silent-phone', 'phone', false);
    network.set('open');
    await page.clock.runFor(60_000);
    await page.getByText(SILENT).waitFor({ state: 'detached' });
    await close();
  });

  it('shows the result of a change that got no answer', async () => {
    const { page, close } = await connected('alan');
    await raise('alan', 'Queue is full');
    const acknowledge = page.getByRole('alertdialog').getByRole('button', { name: 'Acknowledge' });
    await acknowledge.waitFor();
    network.set('silent');
    await acknowledge.click();
    await page.clock.runFor(20_000);
    await page.getByText('The service did not answer. The change may have been made').waitFor();
    network.set('open');
    await page.clock.runFor(60_000);
    await page.getByText(SILENT).waitFor({ state: 'detached' });
    await close();
  });

  it('trusts a server that answers, however rarely', async () => {
    const { page, close } = await connected('edsger');
    const edsger = await signIn(t, 'edsger');
    for (const name of ['Reliability', 'Operations', 'Platform']) {
      await page.clock.runFor(25_000);
      assert.equal((await edsger.call('PATCH', '/api/teams/sre', { name })).status, 200);
      await page.getByText(name).first().waitFor();
    }
    assert.equal(await page.getByText(SILENT).count(), 0);
    await close();
  });
});
