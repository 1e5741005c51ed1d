import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  bringSession,
  launchBrowser,
  openTab,
  type StoryBrowser,
  type Tab,
  visit,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { ratesWith } from '../testing/pay/rates.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** What others change while somebody is in the middle of something. */
describe('what a person does while data arrives', () => {
  let t: Story;
  let browser: StoryBrowser;
  let by: Record<'ada' | 'grace' | 'alan', SignedIn>;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        automatic: true,
        organization: {
          people: { ada: person, grace: person, alan: person },
          teams: {
            sre: { members: ['ada', 'grace', 'alan'], schedules: [{ stages: [['ada'], ['alan']] }] },
          },
        },
      }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', 'in', [t.acme.users.ada ?? '', t.acme.users.alan ?? ''])
      .execute();
    by = { ada: await signIn(t, 'ada'), grace: await signIn(t, 'grace'), alan: await signIn(t, 'alan') };
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    elsewhere.close();
  });

  const raise = async (title: string, urgency: 'high' | 'medium' = 'high') =>
    (await t.status(await t.page('team', 'sre', { title, urgency }))).page.id;
  const stateOf = async (id: string) => (await by.ada.call('GET', `/api/pages/${id}`)).body.page.state;
  const resolve = (...ids: string[]) =>
    Promise.all(ids.map((id) => by.ada.call('POST', `/api/pages/${id}/resolve`)));

  /** A tab whose time moves only when the test moves it, once `ready` is shown. */
  async function opened(person: keyof typeof by, path: string, ready: (page: Page) => Locator): Promise<Tab> {
    const tab = await openTab(browser);
    await tab.page.clock.install();
    await bringSession(tab.page, by[person], t.url);
    await tab.page.goto(t.url + path);
    await ready(tab.page).waitFor();
    await tab.page.clock.pauseAt(Date.now() + 2_000);
    return tab;
  }

  /** Lets the browser handle what arrived until something is shown; takes no more of its time than that. */
  const shown = (page: Page, what: Locator) =>
    eventually(async () => {
      await page.clock.runFor(1);
      return what.isVisible();
    }, true);

  async function middleOf(button: Locator): Promise<[number, number]> {
    const box = await button.boundingBox();
    assert.ok(box);
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  const row = (page: Page, title: string) => page.locator('article').filter({ hasText: title });

  it('presses a button twice, which acknowledges a page but does not resolve it', async () => {
    const id = await raise('Checkout is slow');
    const { page, close } = await opened('grace', '/', (tab) => row(tab, 'Checkout is slow'));
    const [x, y] = await middleOf(row(page, 'Checkout is slow').getByRole('button', { name: 'Acknowledge' }));
    await page.mouse.click(x, y);
    const resolving = row(page, 'Checkout is slow').getByRole('button', { name: 'Resolve' });
    await shown(page, resolving);
    assert.deepEqual(await middleOf(resolving).then(([, at]) => Math.abs(at - y) < 2), true);
    await page.mouse.click(x, y, { clickCount: 2 });
    await shown(page, page.getByText('Something else was there a moment ago'));
    assert.equal(await stateOf(id), 'acknowledged');
    await page.clock.runFor(400);
    await page.mouse.click(x, y);
    await eventually(() => stateOf(id), 'resolved');
    await close();
  });

  it('presses a row that moves down at that moment, which acts on no other page', async () => {
    const first = await raise('Disk is filling', 'medium');
    const { page, close } = await opened('grace', '/', (tab) => row(tab, 'Disk is filling'));
    const [x, y] = await middleOf(row(page, 'Disk is filling').getByRole('button', { name: 'Acknowledge' }));
    const second = await raise('Payments fail');
    const arrived = row(page, 'Payments fail').getByRole('button', { name: 'Acknowledge' });
    await shown(page, arrived);
    assert.deepEqual(await middleOf(arrived).then(([, at]) => Math.abs(at - y) < 2), true);
    await page.mouse.click(x, y);
    await shown(page, page.getByText('Something else was there a moment ago'));
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['notifying', 'notifying']);
    await page.clock.runFor(400);
    await page.mouse.click(x, y);
    await eventually(() => stateOf(second), 'acknowledged');
    assert.equal(await stateOf(first), 'notifying');
    await close();
    await resolve(first, second);
  });

  it('answers an alarm, which acknowledges neither the alarm after it nor one that has just appeared', async () => {
    const tab = await opened('ada', '/', (page) => page.getByRole('heading', { name: 'Now', level: 1 }));
    const { page, close } = tab;
    const first = await raise('Login fails');
    const acknowledge = page.getByRole('alertdialog').getByRole('button', { name: 'Acknowledge' });
    await shown(page, page.getByRole('alertdialog', { name: 'Login fails' }));
    const [x, y] = await middleOf(acknowledge);
    await page.mouse.click(x, y);
    await shown(page, page.getByText('Something else was there a moment ago'));
    assert.equal(await stateOf(first), 'notifying');
    const second = await raise('Search fails');
    await page.clock.runFor(400);
    await shown(page, page.getByText('1 of 2 ringing'));
    await page.mouse.click(x, y);
    await shown(page, page.getByRole('alertdialog', { name: 'Search fails' }));
    await page.mouse.click(x, y);
    await eventually(() => stateOf(first), 'acknowledged');
    await page.clock.runFor(100);
    assert.equal(await stateOf(second), 'notifying');
    await page.clock.runFor(400);
    await page.mouse.click(x, y);
    await eventually(() => stateOf(second), 'acknowledged');
    await close();
    await resolve(first, second);
  });

  it('scrolls an alarm before pressing a button of it, which counts at once', async () => {
    const tab = await opened('ada', '/', (page) => page.getByRole('heading', { name: 'Now', level: 1 }));
    const { page, close } = tab;
    await page.setViewportSize({ width: 1440, height: 260 });
    const id = await raise('Queue is full');
    const alarm = page.getByRole('alertdialog', { name: 'Queue is full' });
    await shown(page, alarm);
    const [acknowledge, escalate] = [
      alarm.getByRole('button', { name: 'Acknowledge' }),
      alarm.getByRole('button', { name: /^Escalate/ }),
    ];
    await shown(page, escalate);
    await page.clock.runFor(1_000);
    const [[, above], [, below]] = [await middleOf(acknowledge), await middleOf(escalate)];
    const scrolledTo = await alarm.evaluate((element, by) => {
      const screen = element.closest('[role="alertdialog"]') ?? element;
      screen.scrollTop += by;
      return screen.scrollTop;
    }, below - above);
    assert.ok(scrolledTo > 0, 'the alarm is higher than the screen');
    const [x, y] = await middleOf(escalate);
    await page.mouse.click(x, y);
    const people = async () => {
      const { timeline } = (await by.ada.call('GET', `/api/pages/${id}`)).body;
      return timeline.some(({ kind }: { kind: string }) => kind === 'escalated');
    };
    await eventually(people, true);
    await close();
    await resolve(id);
  });

  async function signedIn(person: keyof typeof by, path: string): Promise<Tab> {
    const tab = await openTab(browser);
    await bringSession(tab.page, by[person], t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }

  const change = async (path: string, body: Record<string, unknown>) => {
    const { status } = await by.ada.call('PATCH', path, body);
    assert.equal(status, 200);
  };

  it('types in the profile while an admin changes another part of it', async () => {
    const grace = `/api/people/${t.acme.users.grace}`;
    const tab = await openTab(browser);
    const { page, close } = tab;
    await page.clock.install();
    await bringSession(page, by.grace, t.url);
    await page.goto(`${t.url}/profile`);
    const about = page.getByRole('region', { name: 'About you' });
    const handle = about.getByLabel('Handle');
    await handle.fill('admiral');
    await change(grace, { name: 'Grace M. Hopper' });
    // The profile is read again when somebody comes back to the window.
    await eventually(async () => {
      await page.clock.runFor(6_000);
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      return about.getByLabel('Name').first().inputValue();
    }, 'Grace M. Hopper');
    assert.equal(await handle.inputValue(), 'admiral');
    assert.equal(await handle.evaluate((field) => field.matches(':focus')), true);
    await about.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { name, username } = (await by.grace.call('GET', '/api/profile')).body;
    assert.deepEqual([name, username], ['Grace M. Hopper', 'admiral']);
    await close();
  });

  it('renames a person, which does not take back the role that another admin gave them meanwhile', async () => {
    const { page, close } = await signedIn('alan', `/people/${t.acme.users.grace}`);
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Amazing Grace');
    await change(`/api/people/${t.acme.users.grace}`, { role: 'admin' });
    await eventually(
      async () => (await dialog.getByRole('combobox', { name: 'Role' }).inputValue()).startsWith('Admin'),
      true,
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { name, role } = (await by.grace.call('GET', '/api/profile')).body;
    assert.deepEqual([name, role], ['Amazing Grace', 'admin']);
    await close();
  });

  it('edits a schedule: others may change the rest of it, and are not overwritten in silence', async () => {
    const { id } = (await by.ada.call('GET', '/api/schedules')).body.schedules[0];
    const { page, close } = await signedIn('alan', `/schedules/${id}/edit`);
    const description = page.getByLabel('Description');
    await description.fill('Round the clock');
    await change(`/api/schedules/${id}`, { rounds: 7 });
    await eventually(() => page.getByLabel('Rounds').inputValue(), '7');
    assert.equal(await description.inputValue(), 'Round the clock');
    const warning = page.getByText('Somebody else changed the same settings meanwhile.');
    assert.equal(await warning.isVisible(), false);
    await change(`/api/schedules/${id}`, { description: 'Business hours' });
    await warning.waitFor();
    assert.equal(await isOnTheScreen(warning), true);
    await page.getByRole('button', { name: 'Save and plan' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    const stored = (await by.ada.call('GET', `/api/schedules/${id}`)).body;
    assert.deepEqual([stored.rounds, stored.description], [7, 'Round the clock']);
    await close();
  });

  it('edits a schedule while the session ends, and saves it after signing in again in another tab', async () => {
    const { id } = (await by.ada.call('GET', '/api/schedules')).body.schedules[0];
    const { page, close } = await signedIn('alan', `/schedules/${id}/edit`);
    await page.getByLabel('Description').fill('Nights only');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save and plan' }).click();
    const refusal = page.getByRole('alert').getByText('You are not signed in, or your session has ended.');
    await refusal.waitFor();
    assert.equal(await isOnTheScreen(refusal), true);
    await page.context().addCookies(cookies);
    await page.getByRole('button', { name: 'Save and plan' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    assert.equal((await by.ada.call('GET', `/api/schedules/${id}`)).body.description, 'Nights only');
    await close();
  });

  it('names a webhook, which keeps the end that somebody else gave it meanwhile', async () => {
    const made = await by.ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Builds' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id } = made.body;
    const { page, close } = await signedIn('alan', `/webhooks/${id}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Name').fill('Builds of all branches');
    const ends = '2199-01-02T10:00:00.000Z';
    await change(`/api/webhooks/${id}`, { expires_at: ends });
    await eventually(
      async () => (await settings.locator('input[type=datetime-local]').inputValue()).startsWith('2199'),
      true,
    );
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies').waitFor();
    const { name, expires_at } = (await by.ada.call('GET', `/api/webhooks/${id}`)).body;
    assert.deepEqual([name, expires_at], ['Builds of all branches', ends]);
    await close();
  });

  it('changes a rate table and one of its rates, and keeps what another admin changed meanwhile', async () => {
    const made = await by.ada.call('POST', '/api/pay/tables', { name: 'Germany', currency: 'EUR' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/api/pay/tables/${made.body.id}`;
    const rates = `${path}/rates/2031-01-01`;
    await by.ada.call('PUT', rates, { rates: ratesWith() });
    const { page, close } = await signedIn('alan', '/pay?tab=rates');
    const germany = page.getByRole('region', { name: 'Germany' });
    await germany.getByRole('button', { name: 'Change', exact: true }).first().click();
    const table = page.getByRole('dialog', { name: 'Change the rate table' });
    await table.getByLabel('Name').fill('Germany and Austria');
    await change(path, { time_zone: 'Europe/Vienna' });
    await eventually(() => table.getByRole('combobox', { name: 'Time zone' }).inputValue(), 'Europe/Vienna');
    await table.getByRole('button', { name: 'Save' }).click();
    await table.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Change the rates from/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Rates of Germany and Austria' });
    const standby = dialog.getByRole('textbox', { name: 'On call, standby' });
    await standby.fill('3,75');
    await change(rates, { rates: { on_call: { night: '9' }, overlap: 'add' }, until: '2031-12-31' });
    await eventually(() => dialog.getByRole('textbox', { name: 'On call, night' }).inputValue(), '9');
    assert.equal(await standby.inputValue(), '3,75');
    // A change that has not arrived here when the form is saved.
    await page.route(/api\/(pay\/tables|events)/, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await change(rates, { rates: { called_out: { holiday: '80' } } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = (await by.ada.call('GET', '/api/pay/tables')).body.tables[0];
    const [version] = stored.versions;
    const { on_call, called_out, overlap } = version.rates;
    assert.deepEqual([stored.name, stored.time_zone], ['Germany and Austria', 'Europe/Vienna']);
    assert.deepEqual(
      [on_call.standby, on_call.night, called_out.holiday, overlap, version.until],
      ['3.75', '9', '80', 'add', '2031-12-31'],
    );
    await close();
  });

  it('adds rates from the day from which another admin adds some meanwhile, and replaces none', async () => {
    const made = await by.ada.call('POST', '/api/pay/tables', { name: 'Italy', currency: 'EUR' });
    const rates = (day: string) => `/api/pay/tables/${made.body.id}/rates/${day}`;
    const { page, close } = await signedIn('alan', '/pay?tab=rates');
    const italy = page.getByRole('region', { name: 'Italy' });
    await italy.getByRole('button', { name: 'New rates' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rates of Italy' });
    await dialog.getByRole('textbox', { name: 'From', exact: true }).fill('2031-01-01');
    await dialog.getByRole('textbox', { name: 'On call, standby' }).fill('9');
    const added = await by.ada.call('PUT', rates('2031-01-01'), { rates: ratesWith() });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(
        /^It is .*1 Jan 2031, from which Italy already has rates; change those, or choose another day\.$/,
      )
      .waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'On call, standby' }).inputValue(), '9');
    await dialog.getByRole('textbox', { name: 'From', exact: true }).fill('2031-02-01');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { tables } = (await by.ada.call('GET', '/api/pay/tables')).body;
    const { versions } = tables.find(({ name }: { name: string }) => name === 'Italy');
    assert.deepEqual(
      versions.map((one: { from: string; rates: { on_call: { standby: string } } }) => [
        one.from,
        one.rates.on_call.standby,
      ]),
      [
        ['2031-01-01', ratesWith().on_call.standby],
        ['2031-02-01', '9'],
      ],
    );
    await close();
  });

  it('chooses from when somebody is paid by a rate table, which another admin replaces meanwhile', async () => {
    const idOf = async (name: string) =>
      (await by.ada.call('POST', '/api/pay/tables', { name, currency: 'EUR' })).body.id;
    const [spain, france] = [await idOf('Spain'), await idOf('France')];
    const grace = `/api/pay/people/${t.acme.users.grace}`;
    await by.ada.call('PUT', grace, { table: spain });
    const { page, close } = await signedIn('alan', '/pay?tab=people');
    await page.getByRole('button', { name: /^Change how .*Grace/ }).click();
    const dialog = page.getByRole('dialog');
    const table = dialog.getByRole('combobox', { name: 'Rate table' });
    await eventually(() => table.inputValue(), 'Spain (EUR)');
    await dialog.getByLabel('From').fill('2031-01-01');
    await by.ada.call('PUT', grace, { table: france });
    await eventually(() => table.inputValue(), 'France (EUR)');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { people } = (await by.ada.call('GET', '/api/pay/people')).body;
    const { assignments } = people.find(
      ({ person }: { person: { id: string } }) => person.id === t.acme.users.grace,
    );
    assert.deepEqual(
      assignments.map((one: { table: { name: string } }) => one.table.name),
      ['France', 'France'],
    );
    await close();
  });

  it('says by what somebody is paid now, although that ends on a later day', async () => {
    const alan = `/api/pay/people/${t.acme.users.alan}`;
    const { status } = await by.ada.call('PUT', alan, { table: null, from: '2099-01-01' });
    assert.equal(status, 200);
    const { default: isDefault, id, name } = (await by.ada.call('GET', '/api/pay/tables')).body.tables[0];
    if (!isDefault) await change(`/api/pay/tables/${id}`, { default: true });
    const { page, close } = await signedIn('ada', '/pay?tab=people');
    const people = page.getByRole('region', { name: 'People' });
    await people.getByRole('button', { name: 'Change how Alan is paid' }).waitFor();
    // Alan, and Ada, who was never assigned.
    await eventually(() => people.getByText(`${name} (default)`).count(), 2);
    await close();
  });

  it('labels an absence, which keeps the end and the kind that a manager gave it meanwhile', async () => {
    const { page, close } = await signedIn('grace', '/availability');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Dentist');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const coming = page.getByRole('region', { name: 'Coming up' });
    await coming.getByRole('button', { name: 'Change Dentist' }).press('Enter');
    await dialog.getByLabel('Label').fill('Surgery');
    const today = Temporal.Now.instant();
    const span = `from=${today.subtract({ hours: 48 })}&to=${today.add({ hours: 24 * 30 })}`;
    const records = async () => (await by.grace.call('GET', `/api/availabilities?${span}`)).body.records;
    const [{ id, ends_at }] = await records();
    const end = Temporal.Instant.from(ends_at).add({ hours: 48 }).toString({ fractionalSecondDigits: 3 });
    await change(`/api/availabilities/${id}`, { ends_at: end, type: 'soft_unavailable', private: true });
    await eventually(() => dialog.getByRole('checkbox', { name: /^Private/ }).isChecked(), true);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [saved] = await records();
    assert.deepEqual(
      [saved.name, saved.ends_at, saved.type, saved.private],
      ['Surgery', end, 'soft_unavailable', true],
    );
    await close();
  });

  it('chooses another person, whose calendar never shows the absences of the one before', async () => {
    const body = { type: 'soft_unavailable', name: 'Theatre', ...tomorrow() };
    assert.equal((await by.grace.call('POST', '/api/availabilities', body)).status, 201);
    const { page, close } = await signedIn('grace', '/availability');
    const coming = page.getByRole('region', { name: 'Coming up' });
    await coming.getByText('Theatre').waitFor();
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/api/availabilities?**person=**', (route) => late.then(() => route.abort()));
    await page.getByRole('combobox', { name: 'Whose' }).click();
    await page.getByRole('option', { name: 'Alan' }).click();
    await page.waitForURL(/person=/);
    assert.equal(await page.getByText('Theatre').count(), 0);
    // A calendar that could not be read does not look like one without absences.
    arrive();
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).first().waitFor();
    await close();
  });

  it('sends a comment twice by its keys, and writes on meanwhile', async () => {
    const id = await raise('Queue grows');
    const { page, close } = await signedIn('grace', `/pages/${id}`);
    const field = page.getByRole('textbox', { name: 'Comment' });
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/comments', (route) => {
      sent += 1;
      return late.then(() => route.continue());
    });
    await field.fill('I restarted it.');
    await field.press('Control+Enter');
    await field.press('Control+Enter');
    await field.fill('It grows again.');
    arrive();
    await page.getByRole('paragraph').getByText('I restarted it.').waitFor();
    assert.equal(sent, 1);
    assert.equal(await field.inputValue(), 'It grows again.');
    await close();
    await resolve(id);
  });

  it('writes a comment, and opens another page, which does not get it', async () => {
    const ids = [await raise('Disk is slow', 'medium'), await raise('Disk is loud', 'medium')];
    const { page, close } = await signedIn('grace', `/pages/${ids[0]}`);
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await heading('Disk is slow');
    await visit(page, `/pages/${ids[1]}`);
    await heading('Disk is loud');
    await page.getByRole('textbox', { name: 'Comment' }).fill('It is loud.');
    await visit(page, `/pages/${ids[0]}`);
    await heading('Disk is slow');
    assert.equal(await page.getByRole('textbox', { name: 'Comment' }).inputValue(), '');
    await close();
    await resolve(...ids);
  });

  it('acknowledges more pages than toasts fit on the screen: the last one can still be undone', async () => {
    const titles = ['Mail waits', 'Exports wait', 'Reports wait', 'Invoices wait'];
    const ids: string[] = [];
    for (const title of titles) ids.push(await raise(title, 'medium'));
    const { page, close } = await opened('grace', '/', (tab) => row(tab, 'Invoices wait'));
    for (const title of titles) {
      await page.clock.runFor(400);
      const [x, y] = await middleOf(row(page, title).getByRole('button', { name: 'Acknowledge' }));
      await page.mouse.click(x, y);
      await shown(page, row(page, title).getByRole('button', { name: 'Resolve' }));
    }
    const undo = page.getByRole('button', { name: 'Undo' });
    await shown(page, undo.nth(2));
    const [first, , , last] = ids as [string, string, string, string];
    await undo.first().click();
    await eventually(() => stateOf(last), 'notifying');
    assert.equal(await stateOf(first), 'acknowledged');
    // The service takes them back for half a minute, so no button for it appears after that.
    await page.clock.runFor(30_000);
    assert.equal(await undo.count(), 0);
    await page.clock.runFor(1_000);
    assert.equal(await undo.count(), 0);
    await close();
    await resolve(...ids);
  });

  it('chooses people for a page that somebody else answers meanwhile: the dialog stays', async () => {
    const id = await raise('Certificates expire');
    const { page, close } = await signedIn('grace', `/pages/${id}`);
    await page.getByRole('button', { name: 'Reassign' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reassign' });
    await dialog.getByRole('combobox', { name: 'People' }).fill('alan');
    await page.getByRole('option', { name: /alan/ }).click();
    await resolve(id);
    await page.getByText('Ada resolved it').waitFor();
    assert.equal(await dialog.getByText('alan@example.com').first().isVisible(), true);
    // The teams arrive late, which does not mean that there are none.
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/api/teams', (route) => late.then(() => route.continue()));
    await dialog.getByText('Team', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Team' }).click();
    await page.getByText('Loading …', { exact: true }).waitFor();
    arrive();
    await page.getByRole('option', { name: 'SRE' }).waitFor();
    await close();
  });

  it('types on in the search field while the address changes', async () => {
    const { page, close } = await opened('ada', '/pages', (tab) => tab.getByText('Nothing is open.'));
    const field = page.getByRole('searchbox', { name: 'Search pages' });
    // One letter is typed at the moment in which the address gets the text before it, which the view does not know yet.
    await page.evaluate(`
      for (const name of ['pushState', 'replaceState']) {
        const original = history[name];
        history[name] = function (...given) {
          original.apply(history, given);
          if (given[2]?.endsWith('text=pay')) document.execCommand('insertText', false, 'r');
        };
      }
    `);
    await field.pressSequentially('pay');
    await page.clock.runFor(250);
    await shown(page, page.getByText('No page matches these filters.'));
    await field.press('o');
    assert.equal(await field.inputValue(), 'payro');
    await page.clock.runFor(250);
    await page.waitForURL(/text=payro$/);
    await close();
  });

  it('opens another schedule, which never shows the shifts of the one before', async () => {
    const { body } = await by.ada.call('POST', '/api/schedules', {
      ...{ name: 'Night watch', team: 'sre', time_zone: 'UTC', strategy: 'rotation' },
      ...{ shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: [t.acme.users.grace], escalate_after_minutes: 5 }],
    });
    const { schedules } = (await by.ada.call('GET', '/api/schedules')).body;
    const other = schedules.find(({ id }: { id: string }) => id !== body.id);
    const { page, close } = await signedIn('ada', `/schedules/${other.id}`);
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await heading(other.name);
    await visit(page, `/schedules/${body.id}?at=2027-06-01`);
    await heading('Night watch');
    const { promise: late, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/shifts?**', (route) => late.then(() => route.continue()));
    await visit(page, `/schedules/${other.id}?at=2027-09-01`);
    await heading(other.name);
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    arrive();
    await close();
  });
});

function tomorrow(): { starts_at: string; ends_at: string } {
  const now = Temporal.Now.instant();
  return { starts_at: now.add({ hours: 24 }).toString(), ends_at: now.add({ hours: 48 }).toString() };
}

async function isOnTheScreen(locator: Locator): Promise<boolean> {
  const [box, size] = [await locator.boundingBox(), locator.page().viewportSize()];
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
}
