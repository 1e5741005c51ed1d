import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { barriers } from '../testing/accessibility.ts';
import {
  launchBrowser,
  openTab,
  photograph,
  type Scheme,
  SIZES,
  type Size,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const NAMES: Record<string, string> = {
  ada: 'Ada Lovelace',
  grace: 'Grace Hopper',
  alan: 'Alan Turing',
  edsger: 'Edsger Dijkstra',
  barbara: 'Barbara Liskov',
  ken: 'Ken Thompson',
};
const TEAMS: Record<string, string> = { sre: 'Site Reliability', payments: 'Payments', data: 'Data' };

/** Every view, by day and by night, on a desk and in a hand; the pictures are for people to look at. */
describe('the looks of the dashboard', () => {
  let t: Story;
  let browser: Browser;
  let ada: SignedIn;
  let pageId: string;
  const elsewhere = createServer((_, response) => response.end());

  before(async () => {
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const value = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const person = {
      methods: [
        { type: 'webhook' as const, value },
        { type: 'phone' as const, value: '+4915112344471' },
      ],
    };
    const people = Object.fromEntries(Object.keys(NAMES).map((name) => [name, person]));
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people,
          teams: {
            sre: {
              members: ['ada', 'grace', 'alan'],
              schedules: [{ stages: [['ada'], ['alan']], backstop: 'grace' }],
            },
            payments: { members: ['grace', 'edsger'], schedules: [{ stages: [['grace'], ['edsger']] }] },
            data: { members: ['barbara', 'ken'], schedules: [{ stages: [['barbara']], backstop: 'ken' }] },
          },
        },
      }),
    ]);
    for (const [table, names, ids] of [
      ['users', NAMES, t.acme.users],
      ['teams', TEAMS, t.acme.teams],
    ] as const)
      for (const [key, name] of Object.entries(names))
        await t.app.db
          .updateTable(table)
          .set({ name })
          .where('id', '=', ids[key] ?? '')
          .execute();
    await t.app.db
      .updateTable('shifts')
      .set({ starts_at: (await t.clock.now(t.app.db)).subtract({ hours: 100 }) })
      .execute();
    ada = await signIn(t, 'ada');
    await past('Search answers slowly', 'data');
    await past('Nightly billing export is late', 'payments');
    await past('Certificates expire in two days', 'sre');
    await t.advance({ minutes: 25 });
    const late = await t.status(
      await t.page('team', 'payments', { title: 'Payouts are stuck in review', urgency: 'high' }),
    );
    await t.app.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    await eventually(
      async () => (await ada.call('GET', `/api/pages/${late.page.id}`)).body.page.may_act,
      true,
    );
    await ada.call('POST', `/api/pages/${late.page.id}/acknowledge`);
    const raised = await t.status(
      await t.page('team', 'sre', {
        title: 'Checkout returns 500 in eu-west-1',
        text: 'Error rate 41 % for 6 minutes, deploy 4f2c1 went out at 05:29. Runbook: roll back first.',
        urgency: 'high',
        source_url: 'https://grafana.example.com/d/checkout',
      }),
    );
    pageId = raised.page.id;
    await ada.call('POST', `/api/pages/${pageId}/comments`, { text: 'Rolling back to 4f2c0 now.' });
    await ada.call('POST', '/api/keys', { name: 'ci' });
    await ada.call('POST', '/api/keys', { name: 'grafana', expires_at: '2099-01-01T00:00:00Z' });
  });
  after(async () => {
    await browser?.close();
    await t.end();
    elsewhere.close();
  });

  async function past(title: string, team: string): Promise<void> {
    const { page } = await t.status(await t.page('team', team, { title, urgency: 'medium' }));
    await t.app.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    await ada.call('POST', `/api/pages/${page.id}/acknowledge`);
    await t.advance({ minutes: 4 });
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
  }

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of ['dark', 'light'] as Scheme[]) {
      it(`holds at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await openTab(browser, size, scheme);
        const [name, value] = ada.cookie.split('=') as [string, string];
        await tab.page.context().addCookies([{ name, value, url: t.url }]);
        await tab.page.goto(t.url);
        await tab.page.getByRole('alertdialog').waitFor();
        await keep(tab, 'alarm');
        await tab.page.getByRole('button', { name: 'Open', exact: true }).click();
        await tab.page.getByText('Rolling back to 4f2c0 now.').waitFor();
        await keep(tab, 'page');
        for (const [view, path, sign] of [
          ['now', '/', 'Needs attention'],
          ['pages', '/pages?show=all', 'Search answers slowly'],
          ['keys', '/keys', 'grafana'],
          ['profile', '/profile', '+4915112344471'],
        ] as const) {
          await tab.page.goto(t.url + path);
          await tab.page.getByText(sign).first().waitFor();
          await keep(tab, view);
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });

      async function keep({ page }: Tab, view: string): Promise<void> {
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(width, SIZES[size].width, `${view} scrolls sideways`);
        await page.evaluate('document.fonts.ready');
        await photograph(page, `${view}-${size}-${scheme}`, size === 'desk');
        assert.deepEqual(await barriers(page), [], view);
      }
    }
  }
});
