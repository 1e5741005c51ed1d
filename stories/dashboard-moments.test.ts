import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launchBrowser, openTab, SIZES, type StoryBrowser, type Tab, visit } from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { keysAct } from '../testing/keyboard.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const FIRING = {
  ...{ receiver: 'tocsin', status: 'firing', orgId: 1, version: '1', truncatedAlerts: 0 },
  ...{ groupKey: '{}:{alertname="Memory of a node"}', groupLabels: { alertname: 'Memory of a node' } },
  ...{ commonLabels: { alertname: 'Memory of a node', severity: 'critical' }, commonAnnotations: {} },
  ...{ externalURL: 'https://grafana.example.com/', state: 'alerting', title: '[FIRING:1] Memory of a node' },
  alerts: [
    {
      ...{
        status: 'firing',
        startsAt: new Date(Date.now() - 3_600_000).toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
      },
      labels: { alertname: 'Memory of a node', instance: 'node-17', severity: 'critical' },
      annotations: {
        summary: 'node-17 has 3 % of its memory left',
        description:
          'Swap is **full**. <img src=x onerror=alert(1)> See [the runbook](https://example.com/r), not [this](javascript:alert(1)).',
      },
      ...{
        generatorURL: 'https://grafana.example.com/alerting/adxk2v/view',
        fingerprint: '5e1f0c9a7b3d2846',
      },
    },
  ],
};

const LEFT = 'node-17 has 3 % of its memory left';

describe('moments, webhooks and teams in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: Tab;
  let url: string;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const value = elsewhere.url;
    const person = { methods: [{ type: 'webhook' as const, value }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({ automatic: true, organization: { people: { ada: person, grace: person } } }),
    ]);
    const { ada: owner = '' } = t.acme.users;
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner).execute();
    ada = await openTab(browser);
    await ada.page.goto(await signInLink(t, 'ada'));
    await ada.page.getByRole('button', { name: 'Sign in' }).click();
    await ada.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await t.end();
    elsewhere.close();
  });

  const send = (body: unknown, to = url) =>
    fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('creates a team, and somebody joins', async () => {
    const { page } = ada;
    await page.keyboard.press('Alt+t');
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Über Daten');
    await page.getByRole('button', { name: 'Create the team' }).click();
    await page.getByRole('heading', { name: 'Über Daten', level: 1 }).waitFor();
    assert.ok(page.url().endsWith('/teams/uber-daten'));
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByRole('dialog').getByLabel('People').fill('Grace');
    await page.getByRole('option', { name: /Grace/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add them' }).click();
    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await page.getByText('Grace is no longer in Über Daten.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor();
  });

  it('creates a webhook, and shows the next steps', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tool').fill('graf');
    await page.getByRole('option', { name: 'Grafana' }).click();
    await dialog.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('heading', { name: 'Grafana', level: 1 }).waitFor();
    url = (await page.getByRole('region', { name: 'URL' }).locator('code').textContent()) ?? '';
    assert.match(url, /\/moment\/[\w-]+\/grafana$/);
    const guide = page.getByRole('region', { name: 'What to do in the tool' });
    await guide.getByText('Alerting → Contact points').first().waitFor();
    await guide.getByText(`curl -sS "${url}"`).waitFor();
    await guide.getByText(`url: ${url}`).waitFor();
    assert.equal(await guide.getByText(/tocsin (webhook|source) create/).count(), 0);
    await page.setViewportSize(SIZES.phone);
    for (const button of await guide.getByRole('button', { name: 'Copy the code' }).all()) {
      const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 };
      assert.ok(width >= 44 && height >= 44, `a finger hits ${width} × ${height} pixels`);
    }
    await page.setViewportSize(SIZES.desk);
  });

  it('tries it with an example', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Send an example' }).click();
    await page.getByRole('link', { name: /^Test: / }).waitFor();
    await page.getByRole('button', { name: 'Resolve it' }).click();
    await page.getByText('It is resolved.').waitFor();
  });

  it('shows a moment as soon as its call arrives', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Moments', exact: true }).first().click();
    await page.getByText('Nothing is open.').waitFor();
    assert.equal((await send(FIRING)).status, 200);
    await page.getByRole('link', { name: LEFT, exact: true }).waitFor();
    await page.getByRole('link', { name: LEFT, exact: true }).click();
    await page.getByText('High priority').waitFor();
    const runbook = page.getByRole('link', { name: 'the runbook' });
    await eventually(() => runbook.getAttribute('rel'), 'noopener noreferrer nofollow');
    await eventually(() => page.locator('strong', { hasText: 'full' }).count(), 1);
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal(await page.locator('[href^="javascript"]').count(), 0);
  });

  it('acknowledges, comments in Markdown, and resolves a moment by key', async () => {
    const { page } = ada;
    await keysAct(page);
    await page.keyboard.press('a');
    await page.getByText('Ada acknowledged it').waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Killed the `leaky` one');
    await page.keyboard.press('Control+Enter');
    await page.locator('code', { hasText: 'leaky' }).waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await keysAct(page);
    await page.keyboard.press('r');
    await page.getByText('Ada resolved it').waitFor();
  });

  it('reopens a moment that was resolved by mistake, by one press or by key', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ada acknowledged it').waitFor();
    // A pointer might press where something else was a moment ago, which does nothing.
    await page.getByRole('button', { name: 'Resolve', exact: true }).press('Enter');
    await page.getByText('Ada resolved it').waitFor();
    await keysAct(page);
    await page.keyboard.press('Shift+R');
    const comments = page.getByRole('region', { name: 'Comments' });
    await comments.getByText('Ada reopened it').nth(1).waitFor();
    assert.match((await comments.textContent()) ?? '', /Ada reopened it .*; Ada had resolved it .*\./);
    await page.getByText('Ada acknowledged it').waitFor();
    await keysAct(page);
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  it('finds moments by the filters in the URL', async () => {
    const { page } = ada;
    await page.goto(`${t.url}/moments?state=all`);
    await page.getByRole('link', { name: LEFT, exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such word');
    await page.getByText('No matching moments.').waitFor();
    assert.match(page.url(), /text=no/);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.goto(`${t.url}/moments?state=resolved&priority=high&team=uber-daten&within=day&text=memory`);
    await page.getByRole('link', { name: LEFT, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filters (3)' }).waitFor();
    await page.getByRole('combobox', { name: 'Answered by' }).fill('Gra');
    await page.getByRole('option', { name: 'Grace' }).click();
    await page.getByText('No matching moments.').waitFor();
    await page.getByRole('combobox', { name: 'Answered by' }).fill('Ada');
    await page.getByRole('option', { name: 'Ada' }).click();
    await page.getByRole('link', { name: LEFT, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filters (4)' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('person'), t.acme.users.ada);
  });

  it('shows in its filters what the address says, whoever changed it', async () => {
    const { page } = ada;
    await page.goto(`${t.url}/moments?state=all&source=Nagios`);
    const source = page.getByRole('textbox', { name: 'Source' });
    await eventually(() => source.inputValue(), 'Nagios');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('link', { name: LEFT, exact: true }).first().waitFor();
    assert.equal(await source.inputValue(), '');
    const time = page.getByRole('combobox', { name: 'Time' });
    await visit(page, '/moments?state=all&from=2026-01-01T00:00:00.000Z');
    await eventually(() => time.inputValue(), 'Between two times');
    await page.getByLabel('From').waitFor();
    await visit(page, '/moments?state=all&within=day');
    await eventually(() => time.inputValue(), 'Last 24 hours');
  });

  it('shows an ill-formed call as received, and processes it again', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Received notifications' }).click();
    await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Error').click();
    await page.getByText('Nothing failed').waitFor();
    await send('{"alerts": "junk"}');
    await page.getByRole('link', { name: 'Grafana' }).first().waitFor();
    await page.getByRole('link', { name: 'Grafana' }).first().click();
    await page.getByText('The call could not be read.').waitFor();
    await page.getByText('"alerts": "junk"').waitFor();
    // As if a newer version had mended it meanwhile.
    await t.db
      .updateTable('received_notifications')
      .set({ body: Buffer.from(JSON.stringify({ ...FIRING, groupKey: 'another' })) })
      .where('state', '=', 'error')
      .execute();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('It was read and recorded.').waitFor();
    await page.getByRole('link', { name: LEFT, exact: true }).waitFor();
  });

  it('processes all failed calls again, and shows the progress', async () => {
    const { page } = ada;
    for (let index = 0; index < 30; index++) await send(`{"junk": ${index}}`);
    await page.goto(`${t.url}/notifications?state=error`);
    await page.getByRole('button', { name: 'Retry all 30 that failed' }).click();
    await page.getByText('Read again: 30. Failed now: 30.').waitFor();
  });

  it('scrolls through hundreds of moments, and keeps a long list stable while new ones arrive', async () => {
    const { page } = ada;
    const body = { ...FIRING, title: 'x' };
    for (let round = 0; round < 8; round++)
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => send({ ...body, groupKey: `many ${round} ${index}` })),
      );
    await page.goto(`${t.url}/moments?state=all`);
    const list = page.getByRole('list', { name: 'Moments' });
    await list.getByRole('listitem').first().waitFor();
    const oldest = page.getByRole('link', { name: /^Test: / });
    for (let turns = 0; turns < 60 && (await oldest.count()) === 0; turns++) {
      const answered = page.waitForResponse(/api\/moments\?.*before=/, { timeout: 1_000 }).catch(() => null);
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      await answered;
    }
    await oldest.waitFor();
    assert.ok((await list.getByRole('listitem').count()) < 60, 'only what is near the screen exists');
    await send({ ...body, groupKey: 'newest' });
    await page.getByRole('button', { name: 'Show newer moments' }).click();
    await page.waitForFunction('window.scrollY === 0');
    await list.getByRole('listitem').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show newer moments' }).count(), 0);
  });

  it('goes from list to moment and back using only the keyboard', async () => {
    const { page } = ada;
    await page.keyboard.press('Alt+m');
    await page.waitForURL(/\/moments$/);
    await page.getByRole('link', { name: LEFT, exact: true }).first().waitFor();
    await page.keyboard.press('/');
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate('document.activeElement.closest("article") !== null')) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: LEFT, level: 1 }).waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
  });

  it('changes settings, creates a new URL, and revokes', async () => {
    const { page } = ada;
    await page.goto(`${t.url}/teams/uber-daten`);
    await page.getByRole('region', { name: 'Webhooks' }).getByRole('link', { name: 'Grafana' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grafana of the data people');
    await page.getByRole('button', { name: 'Add a severity' }).click();
    await page.getByRole('textbox', { name: 'Severity as the tool calls it' }).fill('critical');
    await page.getByRole('combobox', { name: 'Words in the name or description' }).fill('almost');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies from the next call.').waitFor();
    await send({ ...FIRING, groupKey: 'third' });
    await page.goto(`${t.url}/moments`);
    await page.getByText('Medium priority').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'New URL' }).click();
    await page.getByRole('button', { name: 'Create a new URL' }).click();
    await page.getByText('The old URL works until').waitFor();
    const moved = await page.getByRole('region', { name: 'URL' }).locator('code').textContent();
    assert.notEqual(moved, url);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No tool reports to this team yet.').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Delete the team' }).click();
    await page.getByText('Deleting the team would delete its history').waitFor();
  });

  it('pages the team about a moment, and links the two', async () => {
    const { page } = ada;
    await page.goto(`${t.url}/moments?state=all&text=swap`);
    await page.getByRole('link', { name: LEFT, exact: true }).first().click();
    await page.getByRole('link', { name: 'Page about this' }).click();
    await page.getByText('linked to a moment').waitFor();
    await eventually(() => page.getByRole('textbox', { name: 'What is wrong' }).inputValue(), LEFT);
    await page.getByRole('button', { name: 'Page now' }).click();
    const alarm = page.getByRole('alertdialog', { name: LEFT });
    await alarm.waitFor();
    await keysAct(page);
    await alarm.getByRole('button', { name: 'Acknowledge' }).click();
    await alarm.waitFor({ state: 'detached' });
    await page.goto(`${t.url}/moments?state=all&text=swap`);
    await page.getByRole('link', { name: LEFT, exact: true }).first().click();
    const about = page.getByRole('region', { name: 'Pages about this' });
    await about.getByText('acknowledged').waitFor();
    await about.getByRole('button', { name: `Unlink ${LEFT}` }).click();
    await page.getByText('No longer linked.').waitFor();
    await about.getByRole('button', { name: 'Link a page' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Page' }).fill('node-17');
    await page.getByRole('option', { name: LEFT }).click();
    await page.getByRole('button', { name: 'Link it' }).click();
    await about.getByRole('link', { name: LEFT }).waitFor();
    assert.deepEqual(ada.errors, []);
  });
});
