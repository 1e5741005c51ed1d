import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { newId } from '../src/kit/typeid.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { ratesWith } from '../testing/pay/rates.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const inBerlin = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Berlin').toInstant();

/** In January 2032, an owner sets rates, then checks and publishes December for two people. */
describe('pay in the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let owner: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'grace', 'ada', 'ben'),
          teams: {
            sre: { members: ['ada', 'ben'], schedules: [{ stages: [['ada', 'ben']], backstop: 'ben' }] },
          },
        }),
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'grace').execute();
    await sql`update organizations set time_zone = 'Europe/Berlin'`.execute(t.db);
    await sql`update users set time_zone = 'Europe/Berlin'`.execute(t.db);
    await t.db.deleteFrom('shifts').execute();
    await shift('ada', '2031-12-05T09:00', '2031-12-08T09:00');
    await shift('ben', '2031-12-08T09:00', '2031-12-12T09:00');
    await t.clock.travelTo(t.db, inBerlin('2031-12-06T02:10'));
    const { page } = await t.status(
      await t.page('team', 'sre', { urgency: 'high', title: 'Checkout is down' }),
    );
    await t.settle();
    const ada = await signIn(t, 'ada');
    await ada.call('POST', `/api/pages/${page.id}/acknowledge`);
    await t.clock.travelTo(t.db, inBerlin('2031-12-06T03:20'));
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
    t.receiver.inbox.takeAll();
    await t.clock.travelTo(t.db, inBerlin('2032-01-05T10:00'));
    owner = await signIn(t, 'grace');
  });
  after(async () => {
    await browser?.close();
    t?.receiver.inbox.takeAll();
    await t?.end();
  });

  afterEach(async () => {
    await forget();
    const [end, later] = [inBerlin('2031-12-12T09:00'), inBerlin('2031-12-12T10:00')];
    await sql`update shifts set ends_at = ${end} where ends_at = ${later}`.execute(t.db);
  });

  async function shift(person: string, from: string, to: string): Promise<void> {
    const [user, now] = [t.acme.users[person] ?? '', await t.clock.now(t.db)];
    const schedule = (await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow()).id;
    await sql`
      insert into shifts (id, organization_id, schedule_id, stage, user_id, planned_user_id, starts_at, ends_at, created_at, updated_at)
      values (${newId('shift')}, ${t.acme.id}, ${schedule}, 1, ${user}, ${user}, ${inBerlin(from)}, ${inBerlin(to)}, ${now}, ${now})`.execute(
      t.db,
    );
  }

  async function forget(): Promise<void> {
    for (const table of ['pay_statements', 'pay_periods', 'pay_people', 'pay_tables'] as const)
      await t.db.deleteFrom(table).execute();
  }

  const open = async (who: SignedIn, size: Size, scheme: 'dark' | 'light') => {
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, who, t.url);
    return tab;
  };

  async function setRates(page: Page, looks: (name: string) => Promise<void>): Promise<void> {
    await page.goto(`${t.url}/pay?tab=rates`);
    await page.getByRole('button', { name: 'New rate table' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rate table' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Germany');
    await dialog.getByRole('combobox', { name: 'Currency' }).fill('EUR');
    await page.getByRole('option', { name: 'EUR' }).click();
    // The first table is the default, as the service has it, too.
    await dialog.getByRole('checkbox', { name: 'For everybody without another', checked: true }).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It has no rates yet').waitFor();
    await page.getByRole('button', { name: 'New rates' }).click();
    const rates = page.getByRole('dialog', { name: 'Rates of Germany' });
    await rates.getByLabel(/^From/).fill('2031-01-01');
    const { on_call, called_out } = ratesWith();
    for (const [kind, of] of [
      ['On call', on_call],
      ['Called out', called_out],
    ] as const)
      for (const name of ['standby', 'night', 'weekend', 'holiday'] as const)
        await rates.getByRole('textbox', { name: `${kind}, ${name}` }).fill(of[name]);
    const standby = rates.getByRole('textbox', { name: 'On call, standby' });
    await standby.fill('much');
    await rates.getByRole('button', { name: 'Save' }).click();
    await rates.getByText('It is "much", which is not accepted; give a value such as 12.50.').waitFor();
    await eventually(() => standby.evaluate((field) => field.matches(':focus')), true);
    // As it is written in some countries.
    await rates.getByRole('textbox', { name: 'On call, standby' }).fill('2,50');
    await rates.getByRole('button', { name: 'Other rates from a stage on' }).click();
    await rates.getByRole('textbox', { name: 'From stage 2, standby' }).fill('1,25');
    await looks('rates-dialog');
    await rates.getByRole('button', { name: 'Save' }).click();
    await page.getByText('€2.50 an hour').waitFor();
    await page.getByText('On call from stage 2').waitFor();
    await page.getByText('€1.25 an hour').waitFor();
  }

  const lastShiftEnds = async (from: string, to: string) => {
    await sql`update shifts set ends_at = ${inBerlin(to)} where ends_at = ${inBerlin(from)}`.execute(t.db);
  };

  /** The button that checks the period becomes the one that publishes it, and keeps the focus. */
  async function checkByKeyboard(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Mark as checked' }).focus();
    await page.keyboard.press('Enter');
    const publish = page.getByRole('button', { name: 'Publish' });
    await publish.waitFor();
    assert.equal(await publish.evaluate((button) => button.matches(':focus')), true);
  }

  /** A shift becomes longer while the dialog is open: it closes, so that the view shows what has changed. */
  async function refusesToPublishWhatChanged(
    page: Page,
    looks: (name: string) => Promise<void>,
  ): Promise<void> {
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish December 2031?' });
    await dialog.waitFor();
    await lastShiftEnds('2031-12-12T09:00', '2031-12-12T10:00');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Pay period has changed since it was checked; make it a draft again').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Changed since it was checked' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click({ force: true });
    await page.getByText('It has changed since it was checked. Make it a draft again').waitFor();
    await looks('changed');
    await lastShiftEnds('2031-12-12T10:00', '2031-12-12T09:00');
    await page.reload();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
  }

  it('says why a period cannot be checked yet', async () => {
    const tab = await open(owner, 'phone', 'light');
    const { page } = tab;
    const days = (first: string, last: string) => owner.call('POST', '/api/pay/periods', { first, last });
    const [past, running] = [await days('2031-12-01', '2031-12-31'), await days('2032-01-01', '2032-01-31')];
    await page.goto(`${t.url}/pay/${past.body.id}`);
    await page.getByText('Nobody has an amount yet, because no rates applied').waitFor();
    await page.getByRole('button', { name: 'Mark as checked' }).click({ force: true });
    await page.getByText('You can check it when everybody has rates for their times').waitFor();
    await page.goto(`${t.url}/pay/${running.body.id}`);
    await page.getByText('Nobody was on call in this period.').waitFor();
    await page.getByRole('button', { name: 'Mark as checked' }).click({ force: true });
    await page.getByText('You can check it when its last day is over.').waitFor();
    assert.equal(await page.getByText('have been deleted already').count(), 0);
    const old = await days('2029-12-01', '2029-12-31');
    await page.goto(`${t.url}/pay/${old.body.id}`);
    await page.getByText('Pages or shifts of this period have been deleted already').waitFor();
    assert.deepEqual(tab.errors, []);
    await tab.close();
  });

  it('keeps what was entered after a tap beside the dialog, and refuses an empty limit', async () => {
    const table = await owner.call('POST', '/api/pay/tables', { name: 'Japan', currency: 'JPY' });
    const tab = await open(owner, 'phone', 'light');
    const { page } = tab;
    await page.goto(`${t.url}/pay?tab=rates`);
    await page.getByRole('button', { name: 'New rates' }).click();
    const rates = page.getByRole('dialog', { name: 'Rates of Japan' });
    const standby = rates.getByRole('textbox', { name: 'On call, standby' });
    await rates.getByLabel(/^From/).fill('2031-01-01');
    await standby.fill('1,200');
    await page.mouse.click(8, 20);
    assert.equal(await standby.inputValue(), '1,200');
    const longest = rates.getByRole('textbox', { name: 'At most for a page, h' });
    await longest.fill('');
    await rates.getByRole('button', { name: 'Save' }).click();
    await eventually(() => longest.getAttribute('aria-invalid'), 'true');
    await longest.fill('12');
    await rates.getByRole('button', { name: 'Save' }).click();
    await page.getByText('¥1,200 an hour').waitFor();
    assert.equal(table.status, 201);
    await tab.close();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`goes from rates to published statements, ${size} ${scheme}`, async () => {
        const tab = await open(owner, size, scheme);
        const { page } = tab;
        const looks = (name: string) => looksWell(page, `pay-${name}-${size}-${scheme}`, size);
        await setRates(page, (name) => looksWell(page, `pay-${name}-${size}-${scheme}`, size, false));
        await looks('rates');
        await page.getByRole('tab', { name: 'People' }).click();
        await page.getByRole('button', { name: 'Change how Grace is paid' }).click();
        const person = page.getByRole('dialog', { name: 'How Grace is paid' });
        await person.getByRole('combobox', { name: 'Rate table' }).click();
        await page.getByRole('option', { name: 'Not paid for being on call' }).click();
        await person.getByRole('button', { name: 'Save' }).click();
        await page.getByText('not paid').waitFor();
        await looks('people');

        await page.getByRole('tab', { name: 'Periods' }).click();
        await page.getByRole('button', { name: 'New period' }).click();
        const created = page.getByRole('dialog', { name: 'New pay period' });
        // The browser's clock differs; it proposes the next month.
        assert.match(await created.getByLabel('First day').inputValue(), /-01$/);
        await created.getByLabel('First day').fill('2031-12-01');
        await created.getByLabel('Last day').fill('2031-12-31');
        await created.getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { name: 'December 2031' }).waitFor();
        await page.getByRole('link', { name: 'Ada' }).waitFor();
        await looks('draft');
        // Standby 16 h, nights 8 h, weekend 48 h, and a call-out of 75 minutes at the weekend.
        await page
          .getByRole('row', { name: /Ada.*€/ })
          .getByText('€318.50')
          .waitFor();
        await page.getByRole('link', { name: 'Ada' }).click();
        await page.getByRole('heading', { name: 'Ada' }).waitFor();
        await page.getByText('On call, weekend').click();
        await page.getByText('48 h').first().waitFor();
        await page.getByRole('link', { name: 'Checkout is down' }).waitFor();
        await looks('statement');

        await page.getByRole('link', { name: 'December 2031' }).click();
        await checkByKeyboard(page);
        await refusesToPublishWhatChanged(page, looks);
        await page.getByRole('button', { name: 'Publish' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
        await page.getByText('Published. People see their statements now.').waitFor();
        await lastShiftEnds('2031-12-12T09:00', '2031-12-12T10:00');
        await page.reload();
        await page.getByRole('heading', { name: 'Changed since it was published' }).waitFor();
        await page.getByText('+€2.50').waitFor();
        await looks('published');
        // Of the rate and the publication that were refused.
        assert.deepEqual(
          tab.errors.filter(
            (error) =>
              !/400 \(Bad Request\) .*\/rates\/2031-01-01$|409 \(Conflict\) .*\/publish$/.test(error),
          ),
          [],
        );
        await tab.close();

        const own = await open(await signIn(t, 'ada'), size, scheme);
        await own.page.goto(`${t.url}/pay`);
        await own.page.getByRole('link', { name: 'December 2031' }).click();
        await own.page.getByRole('link', { name: 'Ada' }).waitFor();
        assert.equal(await own.page.getByRole('link', { name: 'Ben' }).count(), 0);
        assert.equal(await own.page.getByRole('button', { name: 'Publish' }).count(), 0);
        assert.deepEqual(own.errors, []);
        await own.close();
      });
});
