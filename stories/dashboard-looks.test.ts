import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import { LANGUAGE_NAMES } from '../src/language/contract.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  visit,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { looksWell, unfold } from '../testing/looks.ts';
import { plainTexts, sentencesOfAnswers } from '../testing/plain-texts.ts';
import { READ_IN, readIn, translated } from '../testing/reads-well.ts';
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

/** Every view, light and dark, at desktop and phone size; the screenshots are for people to look at. */
describe('the looks of the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let pageId: string;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const value = elsewhere.url;
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
    await nameEverybody();
    await planAhead();
    ada = await signIn(t, 'ada');
    for (const [title, team] of [
      ['Search answers slowly', 'data'],
      ['Nightly billing export is late', 'payments'],
      ['Certificates expire in two days', 'sre'],
    ] as const) {
      const page = await pageAndAcknowledge(title, team);
      await t.advance({ minutes: 4 });
      await ada.call('POST', `/api/pages/${page}/resolve`);
    }
    await pageAndAcknowledge('Payouts are stuck in review', 'payments');
    const raised = await t.status(
      await t.page('team', 'sre', {
        title: 'Checkout returns 500 in eu-west-1',
        text: 'Error rate **41 %** for 6 minutes, deploy `4f2c1` went out at 05:29. Follow [the runbook](https://wiki.example.com/checkout): roll back first.',
        urgency: 'high',
        source_url: 'https://grafana.example.com/d/checkout',
      }),
    );
    pageId = raised.page.id;
    await ada.call('POST', `/api/pages/${pageId}/comments`, { text: 'Rolling back to 4f2c0 now.' });
    await ada.call('POST', '/api/pages', {
      ...{ kind: 'team', recipient: 'sales', title: 'Nobody hears this', text: 'There is no such team.' },
    });
    await t.app.duties.runAll();
    await ada.call('POST', '/api/pay/tables', { name: 'Nordics', currency: 'EUR' });
    await ada.call('POST', '/api/keys', { name: 'ci' });
    await ada.call('POST', '/api/keys', { name: 'grafana', expires_at: '2099-01-01T00:00:00Z' });
  });
  after(async () => {
    await browser?.close();
    await t.end();
    elsewhere.close();
  });

  async function nameEverybody(): Promise<void> {
    for (const [table, names, ids] of [
      ['users', NAMES, t.acme.users],
      ['teams', TEAMS, t.acme.teams],
    ] as const)
      for (const [key, name] of Object.entries(names))
        await t.db
          .updateTable(table)
          .set({ name })
          .where('id', '=', ids[key] ?? '')
          .execute();
    // Owners may act on the pages of every team.
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
  }

  /** Shifts that started a while ago and end in three days; then other people, and nobody for one stage. */
  async function planAhead(): Promise<void> {
    const now = await t.clock.now(t.db);
    const [until, then] = [now.add({ hours: 72 }), now.add({ hours: 72 + 168 })];
    await t.db
      .updateTable('shifts')
      .set({ starts_at: now.subtract({ hours: 96 }), ends_at: until })
      .execute();
    const shifts = await t.db.selectFrom('shifts').selectAll().execute();
    const successors: Record<string, string | null> = {
      ada: 'alan',
      alan: 'ada',
      grace: null,
      edsger: 'grace',
      barbara: 'ken',
    };
    for (const shift of shifts) {
      const person = Object.keys(t.acme.users).find((name) => t.acme.users[name] === shift.user_id) ?? '';
      const user_id = t.acme.users[successors[person] ?? ''] ?? null;
      await t.db
        .insertInto('shifts')
        .values({
          id: newId('shift'),
          organization_id: shift.organization_id,
          schedule_id: shift.schedule_id,
          stage: shift.stage,
          seat: shift.seat,
          user_id,
          planned_user_id: user_id,
          starts_at: until,
          ends_at: then,
          created_at: now,
          updated_at: now,
        })
        .execute();
    }
  }

  async function pageAndAcknowledge(title: string, team: string): Promise<string> {
    const { page } = await t.status(await t.page('team', team, { title, urgency: 'medium' }));
    await ada.call('POST', `/api/pages/${page.id}/acknowledge`);
    return page.id;
  }

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of schemesAt(size)) {
      it(`holds at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const tab = await openTab(browser, size, scheme);
        await bringSession(tab.page, ada, t.url);
        await tab.page.goto(t.url);
        await tab.page.getByRole('alertdialog').waitFor();
        await looksWell(tab.page, `alarm-${size}-${scheme}`, size, size === 'desk');
        await tab.page.getByRole('button', { name: 'Open', exact: true }).click();
        await tab.page.getByText('Rolling back to 4f2c0 now.').waitFor();
        await looksWell(tab.page, `page-${size}-${scheme}`, size, size === 'desk');
        for (const [view, path, sign] of [
          ['now', '/', 'Needs attention'],
          ['pages', '/pages?show=all', 'Search answers slowly'],
          ['refused', '/pages?show=refused', 'Nobody hears this'],
          ['compose', '/pages/new?kind=team&to=sre', 'The backstop'],
          ['keys', '/keys', 'grafana'],
          ['profile', '/profile', '+4915112344471'],
        ] as const) {
          // Whether a path opens its view on load does not depend on the size, so loading at one size is enough.
          await (size === 'desk' ? tab.page.goto(t.url + path) : visit(tab.page, path));
          await tab.page.getByText(sign).first().waitFor();
          await looksWell(tab.page, `${view}-${size}-${scheme}`, size, size === 'desk');
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
      });
    }
  }

  it('shows no text outside the catalogue, in the pseudo-language', async () => {
    const tab = await openTab(browser);
    await tab.page.context().addInitScript(() => localStorage.setItem('tocsin.language', 'en-XA'));
    await bringSession(tab.page, ada, t.url);
    const answers = sentencesOfAnswers(tab.page);
    const keys = [...Object.keys(NAMES), ...Object.keys(TEAMS)];
    const firstNames = Object.values(NAMES).map((name) => name.split(' ')[0] ?? '');
    const made = [...Object.values(NAMES), ...firstNames, ...Object.values(TEAMS), ...keys, ...OTHER_DATA];
    const read = async () => plainTexts(tab.page, [...made, ...(await answers.all())]);
    const plain = async () => {
      const found = await read();
      // An answer of the service, whose texts are English here, may have arrived after the answers were collected.
      return found.length === 0 ? found : read();
    };
    await tab.page.goto(t.url);
    await tab.page.getByRole('alertdialog').waitFor();
    assert.deepEqual(await plain(), [], 'the alarm');
    assert.equal(await tab.page.getAttribute('html', 'lang'), 'en-XA');
    await ada.call('POST', `/api/pages/${pageId}/acknowledge`);
    const schedule = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
    for (const [path, sign] of viewsFor({
      pageId,
      scheduleId: schedule.id,
      graceId: t.acme.users.grace ?? '',
    })) {
      await visit(tab.page, path);
      await tab.page.getByRole('heading', { level: 1 }).first().waitFor();
      await tab.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      if (sign) await tab.page.getByText(sign).first().waitFor();
      assert.deepEqual(await plain(), [], path);
    }
    assert.deepEqual(tab.errors, []);
    await tab.close();
  });

  for (const reading of READ_IN)
    it(`can be read in ${LANGUAGE_NAMES[reading.language]}`, async () => {
      const schedule = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
      const { page: alarm } = await t.status(
        await t.page('team', 'sre', { title: 'Login fails for every second person', urgency: 'high' }),
      );
      const { tab, check, end } = await readIn(browser, t, { person: 'ada', session: ada }, reading, [
        ...['Nobody hears this', 'Acme', ...Object.values(TEAMS)],
        // Notices are stored in the language that their reader had at that time.
        'Nobody is on call in payments 0',
        // The columns of the file.
        ...['email', 'name', 'start_time', 'end_time'],
      ]);
      const { page, errors } = tab;
      const words = translated(reading.language);
      await page.goto(t.url);
      await page.getByRole('alertdialog').waitFor();
      await check('alarm');
      for (const id of [alarm.id, pageId]) await ada.call('POST', `/api/pages/${id}/acknowledge`);
      const ids = { pageId, scheduleId: schedule.id, graceId: t.acme.users.grace ?? '' };
      for (const [path, sign] of viewsFor(ids)) {
        await visit(page, path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        if (sign) await page.getByText(sign).filter({ visible: true }).first().waitFor();
        await unfold(page);
        const name = path.replace(/\w+_\w{20,}/g, 'ID').replace(/\W+/g, '-');
        await check(name);
        for (const button of DIALOGS[name] ?? []) {
          await page
            .getByRole('button', { name: words(button), exact: true })
            .first()
            .click();
          await page.getByRole('dialog').waitFor();
          await check(`${name} ${button}`);
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await check('palette');
      assert.deepEqual(errors, []);
      await page.context().clearCookies();
      await page.goto(t.url);
      await page.locator('input[type=email]').waitFor();
      await check('sign-in');
      await end();
    });
});

/** Names of things that the story created, besides people and teams. */
const OTHER_DATA = [
  'Berlin',
  'Europe',
  'grafana',
  'story',
  'ci',
  'acme',
  'recipient',
  'sales',
  'Nordics',
  'EUR',
  'UTC',
];

/** Buttons that open the dialogs with the most to read, by the name of the view. */
const DIALOGS: Readonly<Record<string, readonly string[]>> = {
  '-teams-sre': ['New window', 'New page source'],
  '-people': ['Invite several people'],
  '-people-ID': ['Change'],
  '-availability-calendars': ['Follow a calendar'],
  '-availability': ['Add'],
  '-pay-tab-rates': ['New rates'],
  '-profile': ['Add contact method'],
};

/** Every view that a path opens, with a text that it shows once loaded. */
function viewsFor({
  pageId,
  scheduleId,
  graceId,
}: {
  pageId: string;
  scheduleId: string;
  graceId: string;
}): [path: string, sign: string | null][] {
  return [
    ['/', 'Site Reliability'],
    ['/pages?show=all', 'Search answers slowly'],
    ['/pages?show=refused', 'Nobody hears this'],
    [`/pages/${pageId}`, 'Rolling back to 4f2c0 now.'],
    ['/pages/new?kind=team&to=sre', 'Grace Hopper'],
    ['/moments', null],
    ['/schedules', 'Site Reliability'],
    [`/schedules/${scheduleId}`, 'Ada Lovelace'],
    ['/people', 'Grace Hopper'],
    [`/people/${graceId}`, 'Grace Hopper'],
    ['/teams', 'Site Reliability'],
    ['/teams/sre', 'Grace Hopper'],
    ['/settings', null],
    ['/settings?tab=channels', 'Twilio'],
    ['/settings?tab=channels&provider=smtp', null],
    ['/settings?tab=channels&provider=twilio', '/callbacks/twilio/sms'],
    ['/settings?tab=channels&provider=slack', 'display_information'],
    ['/settings?tab=audit', null],
    ['/settings?tab=system', null],
    ['/schedules/new', null],
    [`/schedules/${scheduleId}/edit`, 'Ada Lovelace'],
    [`/schedules/${scheduleId}/handoff`, null],
    ['/saved-on-call', null],
    ['/availability/team', null],
    ['/availability/upload', null],
    ['/availability/calendars', null],
    ['/notifications', null],
    ['/pay', null],
    ['/pay?tab=rates', 'EUR'],
    ['/first-page', null],
    ['/reports', 'Grace Hopper'],
    ['/set-up', null],
    ['/keys', 'grafana'],
    ['/profile', '+4915112344471'],
    ['/account', null],
    ['/problems', null],
    ['/requests', null],
    ['/availability', null],
    ['/inbox', null],
  ];
}
