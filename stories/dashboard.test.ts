import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CDPSession, Worker } from 'playwright-core';
import { acknowledgeToken } from '../src/notifications/links.ts';
import {
  launchBrowser,
  openTab,
  photograph,
  type Size,
  type StoryBrowser,
  type Tab,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { keysAct } from '../testing/keyboard.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const TEXT =
  'Error rate **41 %** for 6 minutes, deploy `4f2c1` went out at 05:29. Follow [the runbook](https://wiki.example.com/checkout): roll back first.';

/** The browser's id of the service worker that a page registered. */
async function registrationOf(cdp: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  return found;
}

/** The first answer within about a second; null if none arrives. */
async function settled<T>(read: () => Promise<T>): Promise<T | null> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await read();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}

/**
 * The notification that the worker shows for a push. Chromium starts its list of notifications when it is first read,
 * so this reads it first. A push service keeps a message until the browser has taken it; this interface does not report
 * that, so the push is sent again.
 */
async function shownOf(
  worker: Worker,
  deliver: () => Promise<unknown>,
  what: string,
): Promise<Record<string, unknown>> {
  const read = () =>
    worker.evaluate<Record<string, unknown> | undefined>(
      `self.registration.getNotifications().then(([shown]) => shown && ${what})`,
    );
  assert.equal(await read(), undefined);
  for (let times = 0; times < 10; times++) {
    await deliver();
    const shown = await settled(read);
    if (shown) return shown;
  }
  throw new Error('The worker showed nothing of a push that was delivered ten times.');
}

describe('the dashboard in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const value = elsewhere.url;
    const person = { methods: [{ type: 'webhook' as const, value }] };
    [browser, t] = await Promise.all([
      launchBrowser({ notifications: true }),
      story({
        automatic: true,
        organization: {
          people: { ada: person, grace: person, alan: person },
          teams: {
            sre: {
              members: ['ada', 'grace', 'alan'],
              schedules: [{ stages: [['ada'], ['alan']], backstop: 'grace' }],
            },
          },
        },
      }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await t.end();
    elsewhere.close();
  });

  async function signedIn(person: string, size: Size = 'desk', worker?: 'with worker'): Promise<Tab> {
    const tab = await openTab(browser, size, 'dark', worker);
    await tab.page.goto(await signInLink(t, person));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    return tab;
  }

  const raise = (title: string, urgency = 'high') =>
    t.page('team', 'sre', {
      title,
      text: TEXT,
      urgency,
      source_url: 'https://grafana.example.com/d/checkout',
    });

  it('shows how to sign in', async () => {
    const { page, close } = await openTab(browser);
    await page.goto(t.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'No password, or forgot it?' }).click();
    await page.getByText('npm run -s tocsin -- sign-in-link').waitFor();
    await close();
  });

  it('rings in an open browser, and one press acknowledges', async () => {
    const { page, errors, close } = await signedIn('ada');
    await page.getByText('Nothing is open.').waitFor();
    const request = await raise('Checkout returns 500 in eu-west-1');
    const alarm = page.getByRole('alertdialog', { name: 'Checkout returns 500 in eu-west-1' });
    await alarm.waitFor();
    await alarm.getByText('next is Alan').waitFor();
    await alarm.getByRole('link', { name: 'the runbook' }).waitFor();
    await alarm.getByRole('link', { name: 'grafana.example.com/d/checkout' }).waitFor();
    await photograph(page, 'alarm');
    await alarm.getByRole('button', { name: 'Acknowledge' }).click();
    await alarm.waitFor({ state: 'detached' });
    await page.getByText('Ada is on it').waitFor();
    const { page: paged } = await t.status(request);
    assert.equal(paged.state, 'acknowledged');
    assert.deepEqual(
      paged.deliveries.map(({ channel, state }) => [channel, state]),
      [
        ['browser', 'accepted'],
        ['webhook', 'accepted'],
      ],
    );
    // A pointer might press where something else was a moment ago, which does nothing.
    await page.getByRole('button', { name: 'Resolve' }).press('Enter');
    await page.getByText('Nothing is open.').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('lets its sound rest before and after an alarm', async () => {
    const { page, errors, close } = await signedIn('ada');
    await page.addInitScript(`
      window.sounds = [];
      window.struck = 0;
      window.AudioContext = class extends AudioContext {
        constructor() {
          super();
          window.sounds.push(this);
        }
        createOscillator() {
          if (this.state === 'running') window.struck++;
          return super.createOscillator();
        }
      };
    `);
    await page.reload();
    await page.getByText('Nothing is open.').waitFor();
    const sounds = () => page.evaluate('window.sounds.map((sound) => sound.state).join()');
    await page.keyboard.press('Shift');
    await eventually(sounds, 'suspended');
    assert.equal(await page.evaluate('window.struck'), 0);
    await raise('Mail is late');
    await page.getByRole('alertdialog').waitFor();
    await eventually(() => page.evaluate('window.struck > 0'), true);
    assert.equal(await sounds(), 'running');
    assert.equal(await page.getByText('This browser is silent until you touch the page.').count(), 0);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await eventually(sounds, 'suspended');
    await page.getByRole('button', { name: 'Resolve' }).press('Enter');
    await page.getByText('Nothing is open.').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('rings again when the dashboard is opened after a page that was put aside has notified again', async () => {
    const { page, errors, close } = await signedIn('ada');
    const request = await raise('Replication stopped');
    const alarm = page.getByRole('alertdialog', { name: 'Replication stopped' });
    await alarm.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Stage 1 · Ada', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Stage 1 · Ada', { exact: true }).waitFor();
    assert.equal(await alarm.count(), 0);

    await page.goto(`${t.url}/readyz`);
    const { id } = (await t.status(request)).page;
    const responders = t.db.selectFrom('responders').select('stage').where('page_id', '=', id).orderBy('id');
    const stages: (number | null)[] = [1];
    for (const stage of [2, null, 1]) {
      t.clock.advance({ minutes: 5 });
      stages.push(stage);
      await eventually(
        async () => (await responders.execute()).map((one) => one.stage).join(),
        stages.join(),
      );
    }
    await page.goto(t.url);
    await alarm.getByText('stage 1').waitFor();
    await alarm.getByRole('button', { name: 'Acknowledge' }).click();
    await alarm.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Resolve' }).press('Enter');
    await page.getByText('Nothing is open.').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('stops ringing when a colleague answers', async () => {
    const [ada, grace] = await Promise.all([signedIn('ada', 'phone'), signedIn('grace')]);
    await raise('Nightly billing export is late');
    const alarm = ada.page.getByRole('alertdialog');
    await alarm.waitFor();
    await photograph(ada.page, 'alarm-phone');
    await grace.page.getByRole('link', { name: 'Nightly billing export is late' }).waitFor();
    assert.equal(await grace.page.getByRole('alertdialog').count(), 0);
    await grace.page.keyboard.press('j');
    await keysAct(grace.page);
    await grace.page.keyboard.press('a');
    const question = grace.page.getByRole('dialog', { name: 'Acknowledge somebody else’s page?' });
    await question.getByRole('button', { name: 'Acknowledge' }).click();
    await alarm.waitFor({ state: 'detached' });
    await ada.page.getByText('Grace is on it').waitFor();
    await Promise.all([ada.close(), grace.close()]);
  });

  it('acknowledges one page with one key, although others wait', async () => {
    const { page, close } = await signedIn('ada');
    const first = await raise('Queue grows', 'medium');
    const second = await raise('Queue is full');
    await page.getByRole('alertdialog', { name: 'Queue is full' }).waitFor();
    await page.getByText('1 of 2 ringing').waitFor();
    await keysAct(page);
    await page.keyboard.press('a');
    await page.getByRole('alertdialog', { name: 'Queue grows' }).waitFor();
    assert.equal((await t.status(second)).page.state, 'acknowledged');
    assert.equal((await t.status(first)).page.state, 'notifying');
    await keysAct(page);
    await page.keyboard.press('a');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.equal((await t.status(first)).page.state, 'acknowledged');
    await close();
  });

  it('shows the timeline of a page, and takes comments', async () => {
    const { page, errors, close } = await signedIn('grace');
    await raise('Certificates expire in two days', 'medium');
    await page.getByRole('link', { name: 'Certificates expire in two days' }).click();
    await page.getByText('Raised by Ada').waitFor();
    await page.getByText('Stage 1 · Ada', { exact: true }).waitFor();
    await page.getByText(/^Then stage 2 · Alan, in/).waitFor();
    await page.getByRole('button', { name: 'Escalate now' }).click();
    await page.getByText('Stage 2 · Alan', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByRole('dialog').getByLabel('People').fill('Gra');
    await page.getByRole('option', { name: /Grace/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notify them' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Open' }).click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Renewing them by hand');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByText('Renewing them by hand').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Grace resolved it in the dashboard').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await page.getByRole('button', { name: 'Copy the timeline as Markdown' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^# Certificates expire in two days\n\n- Page: \S+\/pages\/page\\_\w+\n- Team: /);
    assert.match(copied, /\n- \d{4}-\d\d-\d\d [\d:.]{12} Grace commented – Renewing them by hand\n/);
    assert.match(copied, / Grace resolved it in the dashboard\n$/);
    await page.getByRole('button', { name: 'Copy the timeline as JSON' }).click();
    const data = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
    assert.deepEqual(
      [data.title, data.state, data.timeline[0].kind],
      ['Certificates expire in two days', 'resolved', 'raised'],
    );
    assert.equal(data.timeline.at(-1).by.name, 'Grace');
    await page.getByRole('button', { name: 'Page again' }).waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('finds pages by the people they notified, and by their time', async () => {
    const { page, errors, close } = await signedIn('grace');
    await page.goto(`${t.url}/pages?show=all`);
    const certificates = page.getByRole('link', { name: 'Certificates expire in two days' });
    const queue = page.getByRole('link', { name: 'Queue is full' });
    await certificates.waitFor();
    await queue.waitFor();
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('Person', 'Alan');
    await queue.waitFor({ state: 'detached' });
    await certificates.waitFor();
    await choose('Time', 'Last hour');
    await certificates.waitFor();
    assert.match(page.url(), /[?&]person=organization_user_\w+/);
    assert.match(page.url(), /[?&]within=hour/);
    await choose('Time', 'Between two times');
    await photograph(page, 'pages-between');
    await page.getByLabel('From').fill('2999-01-01T00:00');
    await page.getByText('No page matches these filters.').waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('creates an API key and shows it once', async () => {
    const { page, close } = await signedIn('ada');
    await page.getByRole('button', { name: 'Ada' }).first().click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await page.getByRole('dialog').getByLabel('What it may do').click();
    await page.getByRole('option', { name: 'reads schedules' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await page.getByText(/^tocsin_[\w-]{32}$/).textContent();
    assert.equal((await t.get('/schedules', key ?? '')).status, 200);
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByText('only reads schedules').waitFor();
    assert.equal(await page.getByText(key ?? '').count(), 0);
    await close();
  });

  it('shows a pushed page, and acknowledges it from the notification', async () => {
    const tab = await signedIn('ada', 'desk', 'with worker');
    const { page } = tab;
    const context = page.context();
    await context.grantPermissions(['notifications']);
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    // A push to a worker that is still being installed is lost; a real push service would keep it.
    await page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
      new Promise((resolve) => active.addEventListener('statechange', () => active.state === 'activated' && resolve(true))))`);
    const cdp = await context.newCDPSession(page);
    const registrationId = await registrationOf(cdp);
    const request = await raise('Backups stopped');
    await page.getByRole('alertdialog').waitFor();
    const [delivery] = (await t.status(request)).page.deliveries;
    const token = acknowledgeToken(t.sealing, delivery?.id ?? '', await t.clock.now(t.db));
    const push = {
      type: 'page.notification',
      page_id: (await t.status(request)).page.id,
      title: 'Backups stopped',
      text: TEXT,
      urgency: 'high',
      acknowledge_url: `${t.url}/a/${token}`,
      unconfirmed: 'Your acknowledgement may not have arrived.',
      page_url: `${t.url}/pages/${(await t.status(request)).page.id}`,
    };
    const data = JSON.stringify(push);
    const deliver = () =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin: t.url, registrationId, data });
    const what = `{ title: shown.title, body: shown.body, actions: shown.actions.map(({ action }) => action) }`;
    assert.deepEqual(await shownOf(worker, deliver, what), {
      title: 'Backups stopped',
      body: TEXT,
      actions: ['acknowledge', 'open'],
    });
    const press = (action: string) =>
      worker.evaluate(`self.registration.getNotifications().then(([notification]) =>
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: '${action}' })))`);
    const shownText = () =>
      worker.evaluate(`self.registration.getNotifications().then(([shown]) => shown?.body)`);

    // Without an answer, the notification is shown again.
    await worker.evaluate(
      `self.network = self.fetch; self.fetch = async () => { throw new TypeError('no network'); }`,
    );
    await press('acknowledge');
    await eventually(shownText, push.unconfirmed);
    await worker.evaluate(`self.fetch = self.network`);

    // The page of a link is no dashboard. It is replaced, because a press that no person made may open no window.
    await page.goto(push.acknowledge_url);
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
    await press('open');
    await page.waitForURL(push.page_url);
    await page.getByRole('alertdialog').waitFor();

    await shownOf(worker, deliver, what);
    await press('acknowledge');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.equal((await t.status(request)).page.state, 'acknowledged');
    await page.getByText('Ada acknowledged from the push notification').waitFor();
    await tab.close();
  });

  it('shows a push that is not a page silently, without an acknowledge button', async () => {
    const tab = await signedIn('ada', 'desk', 'with worker');
    const context = tab.page.context();
    await context.grantPermissions(['notifications']);
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await tab.page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
      new Promise((resolve) => active.addEventListener('statechange', () => active.state === 'activated' && resolve(true))))`);
    const cdp = await context.newCDPSession(tab.page);
    const registrationId = await registrationOf(cdp);
    const notice = {
      type: 'notice',
      id: 'message_x',
      title: 'Your shift moved',
      text: 'To Monday.',
      url: null,
    };
    const data = JSON.stringify(notice);
    const deliver = () =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin: t.url, registrationId, data });
    const what = `{ title: shown.title, body: shown.body, silent: shown.silent, actions: shown.actions.length }`;
    assert.deepEqual(await shownOf(worker, deliver, what), {
      ...{ title: 'Your shift moved', body: 'To Monday.', silent: true, actions: 0 },
    });
    await tab.close();
  });

  it('shows pages on a phone at once, and most filters only when they are opened', async () => {
    const { page, close } = await signedIn('grace', 'phone');
    await page.goto(`${t.url}/pages?show=all&urgency=medium`);
    await page.getByRole('link', { name: 'Certificates expire in two days' }).waitFor();
    const urgency = page.getByRole('combobox', { name: 'Urgency' });
    await urgency.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await urgency.waitFor({ state: 'visible' });
    assert.equal(await urgency.inputValue(), 'Medium urgency');
    await close();
  });

  it('has links to everything on a phone, and signs out', async () => {
    const { page, close } = await signedIn('alan', 'phone');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('Grace');
    await page.getByRole('button', { name: /^Grace/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByText('Your contact methods').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, 390);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });
});
