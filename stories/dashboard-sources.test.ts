import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const OLD_KEY = '0123456789abcdef0123456789abcdef';

describe('page sources in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  /** A manager of the team, and a member who may not manage it. */
  let grace: Tab;
  let alan: Tab;
  let manager: SignedIn;
  let member: SignedIn;
  let url: string;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: { ...webhookPeople(receiver, 'ada'), grace: {}, alan: {} },
          teams: { sre: { members: ['ada', 'grace', 'alan'], schedules: [{ stages: [['ada']] }] } },
        }),
      }),
    ]);
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.grace ?? '')
      .execute();
    [manager, member] = [await signIn(t, 'grace'), await signIn(t, 'alan')];
    [grace, alan] = [await openTab(browser), await openTab(browser)];
    await grace.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await bringSession(grace.page, manager, t.url);
    await bringSession(alan.page, member, t.url);
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  const post = async (to: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.text());
    await t.settle();
  };

  it('are created by a manager, who copies the URL and a command', async () => {
    const { page } = grace;
    await page.goto(`${t.url}/teams/sre`);
    await page.getByText('No monitoring system pages this team yet.').waitFor();
    await page.getByRole('button', { name: 'New page source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tool').fill('custom');
    await page.getByRole('option', { name: 'Custom (any JSON)' }).click();
    await dialog.getByLabel('Name').fill('Probes');
    await dialog.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('heading', { name: 'Probes', level: 1 }).waitFor();
    await page.getByText('never called', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy the URL' }).click();
    url = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(url, /\/page\/[\w-]{43}$/);
    await page.getByText(`curl -sS "${url}"`).first().waitFor();
    const guide = page.getByRole('region', { name: 'What to do in the tool' });
    await guide.getByText('"title": "Nightly backup failed"').waitFor();
    assert.equal(await guide.getByText('tocsin source create').count(), 0);
    assert.ok(
      (await placeOf('What to do in the tool')) < (await placeOf('Open pages')),
      'the next thing to do',
    );
  });

  /** Which region of the view it is, from the top. */
  async function placeOf(region: string): Promise<number> {
    const regions = grace.page.getByRole('main').getByRole('region');
    const names = await regions.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.ok(names.includes(region), names.join());
    return names.indexOf(region);
  }

  it('show the effect of each call, and their open pages', async () => {
    const { page } = grace;
    await post(url, { title: 'Disk full', severity: 'critical', dedup_key: 'disk' });
    await post(url, { action: 'resolve', dedup_key: 'other' });
    const calls = page.getByRole('region', { name: 'Received calls' });
    await t.notified('ada');
    await calls.getByRole('link', { name: 'Disk full' }).waitFor();
    await calls.getByText('Raised').waitFor();
    await calls.getByText('Ignored').waitFor();
    await page.getByRole('region', { name: 'Open pages' }).getByRole('link', { name: 'Disk full' }).waitFor();
    await calls.getByRole('link', { name: 'All its calls' }).click();
    await page.getByRole('heading', { name: 'Received notifications' }).waitFor();
    await page.getByText('raised Disk full').filter({ visible: true }).waitFor();
    await page.goBack();
    await post(url, { action: 'resolve', dedup_key: 'disk' });
    await calls.getByText('Resolved').waitFor();
    assert.ok((await placeOf('What to do in the tool')) > (await placeOf('Settings')), 'is looked up');
  });

  it('change their settings', async () => {
    const { page } = grace;
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('combobox', { name: 'Urgency of warning' }).click();
    await page.getByRole('option', { name: 'High', exact: true }).click();
    await settings.getByRole('button', { name: 'Add a severity' }).click();
    await settings.getByRole('textbox', { name: 'Severity as the tool calls it' }).fill('sev9');
    await settings.getByRole('combobox', { name: 'Urgency of sev9' }).click();
    await page.getByRole('option', { name: 'Page nobody' }).click();
    await settings.getByLabel('Wait before paging').fill('5');
    await settings.getByRole('combobox', { name: 'When the tool resolves it' }).click();
    await page.getByRole('option', { name: 'Somebody has to resolve it' }).click();
    await settings.getByRole('button', { name: 'Restrict to certain hours' }).click();
    await settings.getByLabel('Also record a moment').uncheck();
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies from the next call.').waitFor();
    const id = page.url().split('/').at(-1);
    assert.deepEqual((await manager.call('GET', `/api/sources/${id}`)).body.settings, {
      urgencies: { warning: 'high', sev9: 'none' },
      wait_minutes: 5,
      on_resolve: 'keep',
      hours: {
        // In the profile's zone, whatever zone the browser is in.
        zone: 'UTC',
        weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
        outside: 'hold',
      },
      record_moments: false,
    });
    assert.deepEqual(await barriers(page), []);
  });

  it('show the steps in the tool, with their URL', async () => {
    const { page } = grace;
    const grafana = { team: 'sre', name: 'Grafana', type: 'grafana' };
    const { status, body } = await manager.call('POST', '/api/sources', grafana);
    assert.equal(status, 201, JSON.stringify(body));
    await page.goto(`${t.url}/sources/${body.id}`);
    const guide = page.getByRole('region', { name: 'What to do in the tool' });
    await guide.getByText('Create the source: done.').waitFor();
    await guide.getByText('Alerting → Contact points').first().waitFor();
    await guide.getByText(`url: ${body.url}`).waitFor();
    await guide.getByRole('heading', { name: 'While Tocsin cannot be reached' }).waitFor();
  });

  it('keep the key of the old vendor, and show a new one once', async () => {
    const { page } = grace;
    await page.goto(`${t.url}/teams/sre`);
    await page.getByRole('button', { name: 'New page source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tool').fill('pagerduty events');
    await page.getByRole('option', { name: 'PagerDuty Events API (drop-in)' }).click();
    await dialog.getByLabel('Key from your old vendor').fill('too short');
    await dialog.getByRole('button', { name: 'Create source' }).click();
    await dialog.getByText('It does not have the format of a key of pagerduty-events').waitFor();
    await dialog.getByLabel('Key from your old vendor').fill(OLD_KEY);
    await dialog.getByRole('button', { name: 'Create source' }).click();
    const key = page.getByRole('region', { name: 'Key' });
    await key.getByText(OLD_KEY, { exact: true }).waitFor();
    await key.getByText(`"routing_key": "${OLD_KEY}"`).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Create a new key' }).click();
    await key.getByText('The old key works until').waitFor();
    await eventually(() => key.getByText(OLD_KEY).count(), 0);
    const made = (await key.locator('code').first().textContent()) ?? '';
    assert.match(made, /^[0-9a-f]{32}$/);
    await page.reload();
    await key.getByText(`…${made.slice(-4)}`).waitFor();
    assert.equal(await key.getByText(made).count(), 0);
  });

  it('are found by name, and get a new URL', async () => {
    const { page } = grace;
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('probes');
    await page.getByText('page source of').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Probes', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New URL' }).click();
    await page.getByRole('combobox', { name: 'The old URL stops working' }).click();
    await page.getByRole('option', { name: 'At once' }).click();
    await page.getByRole('button', { name: 'Create a new URL' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const text = () => page.getByRole('region', { name: 'URL' }).locator('code').first().textContent();
    await eventually(async () => (await text()) !== url, true);
    assert.equal((await fetch(url, { method: 'POST' })).status, 404);
  });

  it('report that a former URL is still called, with a link to the source', async () => {
    await t.app.duties.runAll();
    const { page } = grace;
    await page.goto(`${t.url}/problems`);
    await page.getByText(/The page source “Probes” of .* is still called at a former URL/).waitFor();
    await page.getByRole('link', { name: 'The page source' }).click();
    await page.getByRole('heading', { name: 'Probes', level: 1 }).waitFor();
    await page.getByText('problem', { exact: true }).waitFor();
  });

  it('show members what happened, without buttons and secrets', async () => {
    const { page, errors } = alan;
    await page.goto(`${t.url}/teams/sre`);
    await page.getByRole('link', { name: 'Probes' }).click();
    await page.getByText('Its URL is shown only to the team’s managers, admins and owners.').waitFor();
    await page.getByRole('region', { name: 'Received calls' }).getByText('Raised').waitFor();
    for (const name of ['New URL', 'Revoke', 'Save'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await page.goto(`${t.url}/teams/sre`);
    await page.getByRole('link', { name: 'Probes' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'New page source' }).count(), 0);
    assert.deepEqual(errors, []);
  });

  it('show the state of a heartbeat', async () => {
    const { page } = grace;
    const { id, path } = await t.source({
      team: 'sre',
      name: 'Backup',
      type: 'heartbeat',
      intervalMinutes: 60,
    });
    await t.source({ team: 'sre', name: 'Alertmanager', type: 'alertmanager' });
    await page.goto(`${t.url}/sources/${id}`);
    await page.getByText('It does not page anyone until its first call.').waitFor();
    await page.getByText(`curl -fsS "${t.url}${path}"`).waitFor();
    await post(t.url + path, {});
    await page.reload();
    await page.getByText('Next call due').waitFor();
    assert.equal(await page.getByText('never called', { exact: true }).count(), 0);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Expected every').fill('90');
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Expected every 90 min').waitFor();
  });

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of schemesAt(size)) {
      it(`look good at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await openTab(browser, size, scheme);
        const { page } = tab;
        await bringSession(page, manager, t.url);
        const { sources } = (await manager.call('GET', '/api/sources')).body;
        for (const { id, name } of sources) {
          await page.goto(`${t.url}/sources/${id}`);
          await page.getByRole('region', { name: 'Settings' }).getByText('Hours', { exact: true }).waitFor();
          await looksWell(page, `source-${name.split(' ')[0].toLowerCase()}-${size}-${scheme}`, size);
        }
        await page.goto(`${t.url}/teams/sre`);
        await page.getByRole('link', { name: 'Probes' }).waitFor();
        await looksWell(page, `team-sources-${size}-${scheme}`, size);
        const { id } = sources.find(({ type }: { type: string }) => type === 'pagerduty-events');
        for (const [dialog, path, button] of [
          ['new-source', '/teams/sre', 'New page source'],
          ['source-rotate', `/sources/${id}`, 'New key'],
          ['source-revoke', `/sources/${id}`, 'Revoke'],
        ] as const) {
          await page.goto(t.url + path);
          await page.getByRole('button', { name: button }).click();
          await page.getByRole('dialog').waitFor();
          await photograph(page, `${dialog}-${size}-${scheme}`);
          assert.deepEqual(await barriers(page), [], dialog);
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });
    }
  }

  it('can be revoked, and the team shows that', async () => {
    const { page } = grace;
    await page.goto(`${t.url}/teams/sre`);
    await page.getByRole('link', { name: 'Probes' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Page sources' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'Probes' }).count(), 0);
    // The browser logs the key that was refused.
    assert.deepEqual(
      grace.errors.filter((error) => !error.includes('400 (Bad Request)')),
      [],
    );
  });
});
