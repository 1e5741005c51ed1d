import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';
import { type TcpProxy, tcpProxy } from '../testing/tcp-proxy.ts';

/** Ada is on call for SRE, with Grace as the backstop. Alan belongs to another team, whose list she does not get. */
describe('a device without a network', () => {
  let t: Story;
  let browser: StoryBrowser;
  let network: TcpProxy;
  let ada: SignedIn;
  const url = () => `http://127.0.0.1:${network.port}`;

  before(async () => {
    const phone = (value: string) => ({ methods: [{ type: 'phone' as const, value }] });
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: phone('+15005550001'), grace: phone('+15005550002'), alan: phone('+15005550003') },
          teams: {
            sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']], backstop: 'grace' }] },
            web: { members: ['alan'], schedules: [{ stages: [['alan']] }] },
          },
        },
      }),
    ]);
    ada = await signIn(t, 'ada');
    network = await tcpProxy({ host: '127.0.0.1', port: Number(new URL(t.url).port) });
  });
  after(async () => {
    await browser?.close();
    await network?.stop();
    await t?.end();
  });

  /** A dashboard that its service worker controls and that has stored the list. */
  async function opened(size: Size): Promise<Tab> {
    network.set('open');
    const tab = await openTab(browser, size, schemesAt(size)[0], 'with worker');
    await bringSession(tab.page, ada, url());
    await tab.page.goto(url());
    await tab.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    await tab.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await eventually(() => tab.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'), true);
    await eventually(() => keeps(tab.page), true);
    return tab;
  }

  const keeps = (page: Page) => page.evaluate<boolean>("caches.has('tocsin-on-call')");

  for (const size of ['desk', 'phone'] as const)
    it(`shows whether the viewer is on call, and whom to call, ${size}`, async () => {
      const { page, close } = await opened(size);
      network.set('refused');
      await page.goto(`${url()}/pages`);
      await page.getByRole('heading', { name: 'Not connected' }).waitFor();
      await page.getByText('Ada, you are on call.').waitFor();
      const call = page.getByRole('link', { name: 'Call +15005550002' });
      assert.equal(await call.getAttribute('href'), 'tel:+15005550002');
      assert.equal(await page.getByText('+15005550003').count(), 0, 'not the list of other teams');
      await looksWell(page, `offline-${size}-${schemesAt(size)[0]}`, size);
      network.set('open');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Pages' }).waitFor();
      await close();
    });

  it('refuses a change at once, keeps what was entered, and does not make it later', async () => {
    const { page, close } = await opened('phone');
    await page.goto(`${url()}/availability`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Label' });
    await name.fill('Choir');
    // The browser knows about this one.
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The service cannot be reached. Check your connection and try again.').waitFor();
    assert.equal(await name.inputValue(), 'Choir');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole('heading', { name: 'Availability', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal((await t.db.selectFrom('availabilities').select('id').execute()).length, 0);
    await close();
  });

  it('deletes the list at sign-out', async () => {
    const { page, close } = await opened('desk');
    await page.getByRole('button', { name: /Ada/ }).last().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page
      .getByRole('heading', { name: /Sign in/ })
      .first()
      .waitFor();
    assert.equal(await keeps(page), false);
    network.set('refused');
    await page.goto(`${url()}/pages`);
    await page.getByText('This device keeps no on-call list.').waitFor();
    network.set('open');
    await close();
    ada = await signIn(t, 'ada');
  });

  it('deletes it if the session ended elsewhere', async () => {
    const { page, close } = await opened('desk');
    await t.db.deleteFrom('sessions').execute();
    await page.reload();
    await eventually(() => keeps(page), false);
    await close();
    ada = await signIn(t, 'ada');
  });

  it('offers shortcuts to an installed app', async () => {
    const manifest = (await (await fetch(`${t.url}/manifest.webmanifest`)).json()) as {
      shortcuts: { name: string; url: string }[];
    };
    assert.ok(manifest.shortcuts.length >= 3);
    const { page, close } = await opened('desk');
    for (const { url: path } of manifest.shortcuts) {
      await page.goto(url() + path);
      await page.locator('#main h1').first().waitFor();
      assert.equal(await page.getByText('There is no such').count(), 0, path);
    }
    await close();
  });
});
