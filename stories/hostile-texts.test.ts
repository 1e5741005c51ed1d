import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { bringSession, launchBrowser, openTab } from '../testing/browser.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const RUN = 'window.hacked=(window.hacked||0)+1';
/** Ends whatever it stands in: text, attribute, script, style, Markdown. */
const HOSTILE = [
  `"'></title></script><script>${RUN}</script><img src=x onerror="${RUN}"><svg/onload="${RUN}">`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe><a href="javascript:${RUN}">a</a>`,
  `[b](javascript:${RUN}) ![c](x"onerror="${RUN}) <style>*{background:url(//evil.example)}</style>`,
  '{{constructor.constructor("alert(1)")()}} <form action=//evil.example><input name=x></form>',
].join(' ');

/** Every column that shows what somebody, or another program, wrote. */
const TEXTS: [table: string, columns: string[]][] = [
  ['organizations', ['name']],
  ['users', ['name']],
  ['teams', ['name']],
  ['schedules', ['name', 'description']],
  ['pages', ['title', 'text']],
  ['moments', ['name', 'description', 'source']],
  ['webhooks', ['name']],
  ['api_keys', ['name']],
  ['availabilities', ['name']],
  ['notices', ['subject', 'text']],
  ['messages', ['subject', 'text', 'error']],
  ['problems', ['title', 'detail', 'fix', 'error', 'message']],
  ['received_notifications', ['error']],
  ['deliveries', ['error', 'address']],
  ['sessions', ['user_agent', 'browser', 'place']],
];

describe('what people and programs write', () => {
  let t: Story;
  let ada: SignedIn;
  let browser: Browser;
  const ids: Record<string, string> = {};

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      }),
    });
    browser = await launchBrowser();
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    await everything();
    await spoil();
  });
  after(async () => {
    await browser?.close();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  async function everything(): Promise<void> {
    const request = await t.page('team', 'sre', {
      title: HOSTILE.slice(0, 200),
      text: HOSTILE,
      urgency: 'high',
    });
    const { page } = await t.status(request);
    await ada.call('POST', `/api/pages/${page.id}/comments`, { text: HOSTILE });
    await ada.call('POST', '/api/pages', {
      kind: 'team',
      recipient: HOSTILE.slice(0, 90),
      title: HOSTILE.slice(0, 200),
      text: HOSTILE,
    });
    const webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' }))
      .body;
    const path = new URL(webhook.url).pathname;
    await t.post(path, { name: HOSTILE.slice(0, 70), type: 'alert', description: HOSTILE });
    await t.post(path, `{"name":${JSON.stringify(HOSTILE)}`);
    await ada.call('POST', '/api/keys', { name: HOSTILE.slice(0, 100) });
    const span = { starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z' };
    await ada.call('POST', '/api/availabilities', {
      type: 'hard_unavailable',
      name: HOSTILE.slice(0, 100),
      ...span,
    });
    await t.settle();
    await t.app.duties.runAll();
    const first = async (table: 'schedules' | 'moments' | 'received_notifications') =>
      (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    Object.assign(ids, {
      ...{
        pages: page.id,
        people: t.acme.users.grace,
        teams: 'sre',
        webhooks: webhook.id,
        requests: request,
      },
      ...{ schedules: await first('schedules'), moments: await first('moments') },
      notifications: await first('received_notifications'),
    });
  }

  /** Writes it past every check: whatever a check of ours lets through one day, nothing may run. */
  async function spoil(): Promise<void> {
    const known = await t.db.introspection.getTables();
    for (const [table, columns] of TEXTS) {
      const there = known.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
      for (const column of columns.filter((name) => there.includes(name)))
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = left(${HOSTILE} || ctid::text, 200)`
          .execute(t.db)
          .catch((error: Error) =>
            assert.match(error.message, /check constraint|unique constraint/, `${table}.${column}`),
          );
    }
  }

  /** Every view of the dashboard, by the routes that serve it. */
  const views = () =>
    [...t.app.base.routeTable]
      .filter(
        ([path, methods]) =>
          methods.has('GET') && VIEW.test(path) && !/^\/(api|docs)|oncalls$|^\/availabilities/.test(path),
      )
      .flatMap(([path]) =>
        path.endsWith('/*') ? [path.replace('/*', `/${ids[path.split('/')[1] ?? ''] ?? ''}`)] : [path],
      )
      .map((path) => path.replace(/^\/schedules\/:id/, `/schedules/${ids.schedules}`))
      .filter((path) => !path.includes(':'));
  /** Neither files nor what programs ask for. */
  const VIEW =
    /^\/(?!(healthz|readyz|metrics|oidc|callbacks|schedules$|sign-in\/|calendar|request\/|a\/))[\w\-/:*]*$/;

  it('runs nowhere in the dashboard, and breaks no policy', async () => {
    const { page, errors, close } = await openTab(browser);
    await bringSession(page, ada, t.url);
    page.on('dialog', () => errors.push('a dialog'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const paths = views();
    assert.ok(paths.length > 20, paths.join(' '));
    for (const path of paths) {
      errors.length = 0;
      await page.goto(t.url + path);
      // A page for its viewer takes the screen until somebody has it.
      await page
        .locator('main:visible, [role=dialog]:visible, h1:visible')
        .first()
        .waitFor()
        .catch((error: Error) => assert.fail(`${path}: ${errors.join()} ${error.message}`));
      await page.waitForLoadState('load');
      assert.equal(await page.evaluate('window.hacked'), undefined, path);
      const broken = errors.filter((text) =>
        /Content Security Policy|a dialog|is not defined|Cannot read/.test(text),
      );
      assert.deepEqual(broken, [], path);
      assert.equal(
        await page.locator('a[href^="javascript:"], iframe[srcdoc], img[onerror], svg[onload]').count(),
        0,
        path,
      );
    }
    assert.deepEqual(
      asked.filter((url) => url.includes('evil.example')),
      [],
    );
    await close();
  });

  it('runs nowhere on the pages of links', async () => {
    const { page, errors, close } = await openTab(browser);
    page.on('dialog', () => errors.push('a dialog'));
    for (const path of [
      `/a/${encodeURIComponent(HOSTILE)}`,
      `/sign-in/${encodeURIComponent(HOSTILE.slice(0, 80))}`,
    ]) {
      await page.goto(t.url + path);
      assert.equal(await page.evaluate('window.hacked'), undefined, path);
    }
    t.receiver.inbox.takeAll();
    await t.page('team', 'sre', { title: HOSTILE.slice(0, 200), text: HOSTILE });
    const [got] = await t.notified('ada');
    await page.goto(String(got?.body.acknowledge_url));
    await page.getByRole('button').first().waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(
      errors.filter((text) => /Content Security Policy|a dialog/.test(text)),
      [],
    );
    await close();
  });
});
