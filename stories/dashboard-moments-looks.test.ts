import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { LANGUAGE_NAMES } from '../src/language/contract.ts';
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
  visit,
} from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { READ_IN, readIn, translated } from '../testing/reads-well.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const DESCRIPTION = [
  '### What happens',
  'Baskets are **empty** after sign-in, see `SessionStore`.',
  '- 41 % of the sessions',
  '- only in `eu-west-1`',
  '| node | free |\n|---|---|\n| node-17 | 3 % |\n| node-18 | 11 % |',
  '```\nGET /checkout 500 in 4211 ms\n```',
  '[Runbook](https://runbooks.example.com/checkout)',
].join('\n\n');

const REPORTED = [
  { name: 'Checkout loses baskets after deploy 2.42', type: 'incident', source: 'deploy script' },
  { name: 'Nightly backup took 4 h instead of 40 min', type: 'near-miss', source: 'backup' },
  { name: 'Certificate of status.example.com expires in five days', type: 'alert', source: 'certbot' },
  {
    name: 'Rolled back by itself: error rate rose to 4 % after two minutes',
    type: 'near-miss',
    source: 'ci',
  },
  { name: 'Replica lag above 30 s', type: 'alert', source: 'Prometheus' },
] as const;

/** Every view of moments, calls, problems, teams and webhooks, light and dark, at desktop and phone size. */
describe('the looks of moments and teams', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let webhook: { id: string; url: string };
  let views: [name: string, path: string, sign: string][];

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, grace: {}, alan: {} },
          teams: {
            sre: {
              members: ['ada', 'grace'],
              schedules: [{ stages: [['ada'], ['grace']], backstop: 'alan' }],
            },
            payments: { members: ['grace'] },
          },
        },
      }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    await t.db.updateTable('teams').set({ name: 'Site Reliability' }).where('slug', '=', 'sre').execute();
    ada = await signIn(t, 'ada');
    webhook = await made({ name: 'Deploy script', type: 'custom' });
    const alerts = await made({ name: 'Issues of checkout', type: 'github' });
    const checks = await made({ name: 'Checks', type: 'nagios' });
    const disk = { host_name: 'db-01', service_description: 'Disk', service_state: 'CRITICAL' };
    await send(checks.url, {
      ...disk,
      notification_type: 'PROBLEM',
      service_output: 'DISK CRITICAL - 812 MB free',
    });
    await t.settle();
    await send(checks.url, {
      ...{ ...disk, notification_type: 'ACKNOWLEDGEMENT', service_output: 'DISK CRITICAL - 812 MB free' },
      ...{
        notification_author: 'Linus Pauling',
        notification_comment: 'Deleting old backups.\nTen minutes.',
      },
    });
    await t.settle();
    for (const body of REPORTED) {
      await send(webhook.url, {
        ...body,
        description: DESCRIPTION,
        source_url: 'https://ci.example.com/runs/4711',
      });
      await t.clock.advance({ minutes: 7 });
    }
    await send(alerts.url, { zen: 'Keep it logically awesome.', hook_id: 1 });
    for (let index = 0; index < 12; index++) await send(alerts.url, { junk: index });
    await send(webhook.url, { name: '', type: 'fire' });
    await t.settle();
    await t.app.duties.runAll();
    const { moments } = (await ada.call('GET', '/api/moments')).body;
    await ada.call('POST', `/api/moments/${moments[1].id}/acknowledge`);
    await ada.call('POST', `/api/moments/${moments[4].id}/comments`, {
      text: 'Rolling back to **2.41** now.',
    });
    for (const act of ['resolve', 'reopen', 'resolve'])
      await ada.call('POST', `/api/moments/${moments[2].id}/${act}`);
    const failed = (await ada.call('GET', '/api/notifications?state=error')).body.notifications[0].id;
    await ada.call('POST', `/api/webhooks/${webhook.id}/rotate`, {});
    views = [
      ['moments', '/moments?state=all', 'Replica lag above 30 s'],
      ['moments-filtered', '/moments?type=near-miss&team=sre&within=day', 'Nightly backup'],
      ['moments-none', '/moments?text=nothing', 'No matching moments.'],
      ['moment', `/moments/${moments[4].id}`, 'Rolling back to'],
      ['moment-acknowledged', `/moments/${moments[5].id}`, 'Deleting old backups.'],
      ['moment-reopened', `/moments/${moments[2].id}`, 'reopened it'],
      ['notifications', '/notifications', 'Issues of checkout'],
      ['notification', `/notifications/${failed}`, 'The call could not be read.'],
      ['problems', '/problems', 'gets calls that it cannot read'],
      ['problems-closed', '/problems?show=closed', 'No problem has been closed yet'],
      ['teams', '/teams', 'you manage it'],
      ['team', '/teams/sre', 'Deploy script'],
      ['team-small', '/teams/payments', 'No tool reports to this team yet.'],
      ['webhook', `/webhooks/${webhook.id}`, 'The old URL works until'],
      ['webhook-github', `/webhooks/${alerts.id}`, 'Recent Deliveries'],
    ];
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.ada ?? '')
      .execute();
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  async function made(body: Record<string, unknown>): Promise<{ id: string; url: string }> {
    return (await ada.call('POST', '/api/webhooks', { team: 'sre', ...body })).body;
  }

  async function send(url: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).body?.cancel();
  }

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of schemesAt(size)) {
      it(`are correct at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await openTab(browser, size, scheme);
        const { page } = tab;
        await bringSession(page, ada, t.url);
        await page.goto(t.url);
        await page.getByRole('heading', { level: 1 }).waitFor();
        for (const [view, path, sign] of views) {
          // Whether a path opens its view on load does not depend on the size, so loading at one size is enough.
          await (size === 'desk' ? page.goto(t.url + path) : visit(page, path));
          await page.getByText(sign).first().waitFor();
          await looksWell(page, `${view}-${size}-${scheme}`, size);
        }
        for (const [dialog, path, button] of dialogs()) {
          await visit(page, path);
          await page.getByRole('button', { name: button }).click();
          await page.getByRole('dialog').waitFor();
          await photograph(page, `${dialog}-${size}-${scheme}`);
          assert.deepEqual(await barriers(page), [], dialog);
          await closeDialog(page);
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });
    }
  }

  async function closeDialog(page: Page): Promise<void> {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  function dialogs() {
    return [
      ['new-team', '/teams', 'New team'],
      ['new-webhook', '/teams/sre', 'New webhook'],
      ['add-people', '/teams/sre', 'Add people'],
      ['rotate', `/webhooks/${webhook.id}`, 'New URL'],
      ['revoke', `/webhooks/${webhook.id}`, 'Revoke'],
    ] as const;
  }

  for (const reading of READ_IN)
    it(`can be read in ${LANGUAGE_NAMES[reading.language]}`, async () => {
      const words = translated(reading.language);
      const who = { person: 'ada', session: ada };
      const { tab, check, end } = await readIn(browser, t, who, reading, [
        ...['Acme', 'Site Reliability', 'Deploy script'],
        ...REPORTED.map(({ name }) => name),
      ]);
      await tab.page.goto(t.url);
      await tab.page.getByRole('heading', { level: 1 }).waitFor();
      for (const [view, path] of views) {
        await visit(tab.page, path);
        await tab.page.getByRole('heading', { level: 1 }).first().waitFor();
        await check(view);
      }
      for (const [dialog, path, button] of dialogs()) {
        await visit(tab.page, path);
        await tab.page.getByRole('button', { name: words(button) }).click();
        await tab.page.getByRole('dialog').waitFor();
        await check(dialog);
        await closeDialog(tab.page);
      }
      assert.deepEqual(tab.errors, []);
      await end();
    });
});
